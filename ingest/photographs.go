package ingest

import (
	"context"
	"fmt"
	"io"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/models/snapshot"
)

// Photographed is a row and the photograph that it names.
type Photographed struct {
	Key         string // of the booking or offender within the source
	Fingerprint []byte // of the row
	Photograph  string // as the row names it; empty: none
}

// Photographs reads the documents of an earlier run again and yields each row with the photograph that it names. Nothing is
// written, and the source is not asked. What a row says counts only if it is still the newest of its claim.
func (r *Runner) Photographs(ctx context.Context, s *Source, runID int64, yield func(Photographed) error) error {
	_, then, err := r.archived(ctx, s, runID)
	if err != nil {
		return err
	}
	dir, leave, err := r.directory().Make(ctx)
	if err != nil {
		return err
	}
	defer leave()
	found, err := then.unpack(ctx, dir)
	if err != nil {
		return err
	}
	m, err := s.mapper(r.Store.Counties())
	if err != nil {
		return err
	}
	m.ReadPhotographs()
	to := sink{
		roster: func(row *snapshot.RosterRow) error {
			return yield(Photographed{row.Key, row.Fingerprint, row.Photograph})
		},
		corrections: func(row *snapshot.CorrectionsRow) error {
			return yield(Photographed{row.GDCID, row.Fingerprint, row.Photograph})
		},
		rejected: func(*mapping.Rejected) error { return nil }, // its run has it in quarantine
	}
	for _, doc := range found.Documents {
		f, err := doc.Open()
		if err != nil {
			return err
		}
		err = decode.Open(doc.Name, f, s.Limits.Bytes, func(_ string, _ bool, in io.Reader) error {
			var facts decode.Facts
			return s.rows(m, in, doc.At, &facts, to)
		})
		_ = f.Close() // only read
		if err != nil {
			return fmt.Errorf("read %s again: %w", doc.Name, err)
		}
	}
	return nil
}

// ReportsChanges reports whether the source reports only what changed, so that a blank says nothing.
func (s *Source) ReportsChanges() bool {
	return s.Publish.Policy == "delta" || s.Publish.Policy == "releases"
}
