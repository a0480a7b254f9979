package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/models"
)

// quarantine keeps the rows of a run that could not become facts, in batches.
type quarantine struct {
	*run
	batch []models.QuarantinedRow
}

// quarantineBatch is how many rows are written together; maxRaw bounds what is kept of one.
const (
	quarantineBatch = 500
	maxRaw          = 64 << 10
)

func (q *quarantine) add(ctx context.Context, bad *mapping.Rejected) error {
	raw := bad.Raw[:min(len(bad.Raw), maxRaw)]
	q.batch = append(q.batch, models.QuarantinedRow{
		Line: bad.Line & (1<<docShift - 1), Field: bad.Field, Reason: bad.Reason, Sealed: q.Seal.Close([]byte(raw), quarantineOf(q.source.ID)),
	})
	q.report.Quarantined++
	q.report.Reasons[bad.String()]++
	if len(q.batch) < quarantineBatch {
		return nil
	}
	return q.flush(ctx)
}

func (q *quarantine) flush(ctx context.Context) error {
	if len(q.batch) == 0 {
		return nil
	}
	err := q.Store.Quarantine(ctx, q.id, q.source.ID, q.started, q.expires(), q.batch)
	q.batch = q.batch[:0]
	return err
}

// errEnough ends a second reading when all rows are found.
var errEnough = errors.New("enough")

// rejected keeps the rows that the tables showed to be wrong. Their raw text is read again from the
// documents: it is not carried through the tables.
func (q *quarantine) rejected(ctx context.Context, rows []models.RejectedRow) error {
	if len(rows) == 0 {
		return nil
	}
	wanted := make(map[int64]models.RejectedRow, len(rows))
	for _, r := range rows {
		wanted[r.Line] = r
	}
	err := q.each(func(i int, _ fetch.Document, text io.Reader) error {
		return q.source.Decode.Each(text, q.source.decodeLimits(), &decode.Facts{}, func(rec *decode.Record) error {
			at := rec.Line | int64(i)<<docShift
			row, ok := wanted[at]
			if !ok {
				return nil
			}
			delete(wanted, at)
			if err := q.add(ctx, &mapping.Rejected{Reason: row.Reason, Field: row.Field, Line: at, Raw: rec.Raw()}); err != nil {
				return err
			}
			if len(wanted) == 0 {
				return errEnough
			}
			return nil
		})
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return q.flush(ctx)
}

// take copies what the tables counted.
func (r *Report) take(a models.Applied) {
	r.Parsed, r.New, r.Adopted, r.Changed, r.Unchanged, r.Older, r.Repeated = a.Rows, a.New, a.Adopted, a.Changed, a.Unchanged, a.Older, a.Repeated
	r.Closed, r.Reopened, r.Missing, r.Withheld, r.Removed = a.Closed, a.Reopened, a.Missing, a.Withheld, a.Removed
}

// add joins the report of one more snapshot: counts are summed, and the first that did not go well
// gives state and note.
func (r *Report) add(next *Report, of int) {
	if of == 1 || r.Run == 0 {
		*r = *next
		return
	}
	sum := *next
	if r.State != models.RunOK {
		sum.State, sum.Note = r.State, r.Note
	}
	for _, p := range []struct{ into, from *int }{
		{&sum.Documents, &r.Documents},
		{&sum.Fetched, &r.Fetched},
		{&sum.Parsed, &r.Parsed},
		{&sum.New, &r.New},
		{&sum.Adopted, &r.Adopted},
		{&sum.Changed, &r.Changed},
		{&sum.Unchanged, &r.Unchanged},
		{&sum.Older, &r.Older},
		{&sum.Repeated, &r.Repeated},
		{&sum.Closed, &r.Closed},
		{&sum.Reopened, &r.Reopened},
		{&sum.Missing, &r.Missing},
		{&sum.Withheld, &r.Withheld},
		{&sum.Removed, &r.Removed},
		{&sum.Quarantined, &r.Quarantined},
	} {
		*p.into += *p.from
	}
	sum.Bytes += r.Bytes
	sum.Seconds += r.Seconds
	for reason, n := range r.Reasons {
		sum.Reasons[reason] += n
	}
	sum.Doubts = append(slices.Clone(r.Doubts), sum.Doubts...)
	*r = sum
}

// countLines gives "what (n)" for each count, by name.
func countLines(counts map[string]int) []string {
	lines := make([]string, 0, len(counts))
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%s (%d)", what, counts[what]))
	}
	return lines
}
