package ingest

import (
	"context"
	"errors"
	"io"
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/ingest/raw"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// quarantine keeps the rows of a run that could not become facts, in batches.
type quarantine struct {
	*run
	batch []source.QuarantinedRow
}

// quarantineBatch is how many rows are written together; maxRaw bounds what is kept of one.
const (
	quarantineBatch = 500
	maxRaw          = 64 << 10
)

// add keeps a row that cannot be taken and counts its reason. Its text is encrypted before it leaves memory (guarantee 11). The
// fingerprint is keyed, so the same row again is found by it and nobody can guess the text from it. A rehearsal only counts.
func (q *quarantine) add(ctx context.Context, bad *mapping.Rejected) error {
	q.report.Quarantined++
	tally(q.report.Reasons, bad.String())
	if q.rehearse != nil {
		return nil
	}
	// A row of megabytes is cut: its beginning shows an operator what is wrong.
	text := bad.Raw[:min(len(bad.Raw), maxRaw)]
	row := source.QuarantinedRow{Line: placed(bad.Line).line, County: bad.County, Field: bad.Field, Reason: bad.Reason}
	row.Encrypted = q.Seal.Close([]byte(text), raw.Quarantine(q.source.ID))
	row.Fingerprint = q.Seal.Fingerprint(bad.Field, bad.Reason, text)
	q.batch = append(q.batch, row)
	if len(q.batch) < quarantineBatch {
		return nil
	}
	return q.flush(ctx)
}

// maxReasons is how many reasons a report counts apart; a reason may name a text of its row, such as a county that is none.
const maxReasons = 100

// tally counts one more row with a reason.
func tally(counts map[string]int, reason string) {
	if _, known := counts[reason]; !known && len(counts) >= maxReasons {
		reason = "(other reasons)"
	}
	counts[reason]++
}

// RowText opens the raw text of a quarantined row of a source.
func (r *Runner) RowText(sourceID string, sealed []byte) (string, error) {
	plain, err := r.Seal.Open(sealed, raw.Quarantine(sourceID))
	return string(plain), err
}

// flush writes the batch. The end of a run calls it once more, also of one that failed.
func (q *quarantine) flush(ctx context.Context) error {
	if len(q.batch) == 0 {
		return nil
	}
	fresh, err := q.Store.Quarantine(ctx, q.id, q.source.ID, q.started, q.expires(), q.batch)
	q.report.QuarantinedNew += fresh
	q.batch = q.batch[:0]
	return err
}

// errEnough ends a second reading when all rows are found.
var errEnough = errors.New("enough")

// rejected keeps the rows that the tables showed to be wrong. Their raw text is read again from the
// documents: it is not carried through the tables.
// A place is the number of a document and a line, so the second reading finds each row without its text.
func (q *quarantine) rejected(ctx context.Context, rows []snapshot.RejectedRow) error {
	if len(rows) == 0 {
		return nil
	}
	// The identity guard refuses few rows. To carry the text of all rows through the tables would cost every run for these.
	wanted := make(map[int64]snapshot.RejectedRow, len(rows))
	for _, r := range rows {
		wanted[r.Line] = r
	}
	err := q.each(func(i int, _ fetch.Document, _ bool, text io.Reader) error {
		return q.source.Decode.Each(text, q.source.decodeLimits(), &decode.Facts{}, func(rec *decode.Record) error {
			at := place{i, rec.Line}.number()
			row, ok := wanted[at]
			if !ok {
				return nil
			}
			delete(wanted, at)
			bad := &mapping.Rejected{Reason: row.Reason, Field: row.Field, County: row.County, Line: at, Raw: rec.Raw()}
			if err := q.add(ctx, bad); err != nil {
				return err
			}
			if len(wanted) == 0 {
				return errEnough
			}
			return nil
		})
	}, func(doc int, err error) error {
		if slices.Contains(q.report.aside, doc) {
			return nil
		}
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return q.flush(ctx)
}
