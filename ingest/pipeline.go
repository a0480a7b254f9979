package ingest

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/cut"
	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// sink takes what the pure stages make of a document. Only the function of the source's kind is called.
type sink struct {
	roster      func(*snapshot.RosterRow) error
	court       func(*snapshot.CourtRow) error
	corrections func(*snapshot.CorrectionsRow) error
	rejected    func(*mapping.Rejected) error
	record      func(*decode.Record) // sees each record before it is mapped, or nil
}

// takingError is the error of who takes rows. Nothing is wrong with the document then.
type takingError struct{ error }

// Unwrap returns the error itself.
func (e *takingError) Unwrap() error { return e.error }

// taking marks an error as one of who takes rows.
func taking(err error) error {
	if err == nil {
		return nil
	}
	return &takingError{err}
}

// mapper makes the mapper of one run.
func (s *Source) mapper(counties *models.Counties) (*mapping.Mapper, error) {
	// The key of a county stands in the database, so it is filled in here and not when the document is checked.
	config := s.mapping()
	config.Counties = counties
	if s.County != "" {
		county, err := counties.BySlug(s.County)
		if err != nil {
			return nil, fmt.Errorf("county of source %s: %w", s.ID, err)
		}
		config.County = county.ID
	}
	return mapping.New(*config), nil
}

// rows takes one document through decode, split, map, normalise and validate. seen is the instant
// that the document speaks of.
func (s *Source) rows(m *mapping.Mapper, r io.Reader, seen time.Time, facts *decode.Facts, to sink) error {
	if facts.Whole = facts.Whole || s.Decode.OpenEnded; s.Decode.Format == decode.HTML && !facts.Whole {
		facts.Outer = s.around()
	}
	if s.Decode.Format == decode.JSON || s.Decode.Format == decode.XML { // half of one can not be read at all
		return s.Decode.Each(r, s.decodeLimits(), facts, func(rec *decode.Record) error { return taking(s.row(m, rec, seen, to)()) })
	}
	// In other formats the last row may be cut off without a sign of it, so it waits until the document has ended.
	w := cut.Waiting{Groups: s.Decode.Split.Groups()}
	err := s.Decode.Each(r, s.decodeLimits(), facts, func(rec *decode.Record) error { return taking(w.Next(rec, s.row(m, rec, seen, to))) })
	if err != nil {
		return err
	}
	return taking(w.End(facts, s.cutOff(facts), to.rejected))
}

// cutOff returns why the last row of a document cannot be taken; empty if it can. The line that declares the total comes
// behind the last row, so that row is whole even where the line itself is cut.
func (s *Source) cutOff(facts *decode.Facts) string {
	switch lined := s.Decode.Format.Lined(); {
	case lined && (s.Decode.EndMarker != "" && !facts.Marker || s.Decode.Total != "" && facts.Total == nil):
		return "the document ends within this row"
	case lined && s.Decode.ShowsItsEnd():
		return ""
	default:
		return facts.Cut
	}
}

// around lists the paths into a page around its rows that the document reads.
func (s *Source) around() (paths []string) {
	// Only these are kept of the page: it may be megabytes, and each of its rows would carry it.
	prefix := "outer."
	if s.Decode.Split.Rows != "" { // one step out is the row in which the record is nested
		prefix = "outer.outer."
	}
	for _, path := range s.Fields.Paths() {
		if rest, ok := strings.CutPrefix(path, prefix); ok && !slices.Contains(paths, rest) {
			paths = append(paths, rest)
		}
	}
	return paths
}

// row maps one record and returns what is to be done with it. The caller may still drop that, if the row turns out to be cut
// off.
func (s *Source) row(m *mapping.Mapper, rec *decode.Record, seen time.Time, to sink) func() error {
	// The record is seen as it was read, also where it is bad.
	if to.record != nil {
		to.record(rec)
	}
	var bad *mapping.Rejected
	switch {
	case rec.Bad != "":
		bad = &mapping.Rejected{Reason: rec.Bad, Line: rec.Line, Raw: rec.Raw()}
	case s.Kind == "roster":
		row, rejected := m.Roster(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.roster(row) }
		}
	case s.Kind == "courts":
		row, rejected := m.Court(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.court(row) }
		}
	default:
		row, rejected := m.Corrections(rec, seen)
		if bad = rejected; bad == nil {
			return func() error { return to.corrections(row) }
		}
	}
	return func() error { return to.rejected(bad) }
}
