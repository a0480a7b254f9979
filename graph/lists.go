package graph

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rollcall/graph/generated"
	"rollcall/graph/limit"
	"rollcall/internal/enroll"
	"rollcall/internal/plural"
	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/models/alert"
)

// countWithin bounds how long a dry run compares a list with the bookings of a year, as an operation ends after ten seconds.
const countWithin = 4 * time.Second

// imported imports a list, or tries it, in the account's turn.
func (r *Resolver) imported(ctx context.Context, account, csv string, dry, skip bool) (*generated.AlertImport, error) {
	if len(csv) > limit.ImportBytes {
		return nil, tooLong(fmt.Sprintf("%d KiB", limit.ImportBytes>>10))
	}
	done, err := r.alerts.Turns.Take(ctx, account)
	if err != nil {
		return nil, err
	}
	defer done()
	plan, err := enroll.Read(ctx, r.store, account, strings.NewReader(csv), watchlist.UTF8)
	if err != nil {
		return nil, err
	}
	if len(plan.Rows) > limit.ImportLines {
		return nil, tooLong(fmt.Sprintf("%d names", limit.ImportLines))
	}
	created := 0
	switch {
	case dry:
		err = plan.Count(ctx, r.store, countWithin)
	case plan.Refused == 0 || skip:
		created, err = plan.Create(ctx, r.store, skip)
	}
	if err != nil {
		return nil, err
	}
	return importOf(plan, created), nil
}

// tooLong is for a list that is longer than one operation may hold.
func tooLong(most string) error {
	return models.InvalidBody("csv", "csv holds more than "+most+": import it on the page or with: rollcall watchers import")
}

// importOf is a plan as the schema has it.
func importOf(p *enroll.Plan, created int) *generated.AlertImport {
	out := &generated.AlertImport{Created: created, New: p.New, Folded: p.Folded, Refused: p.Refused, IgnoredColumns: append([]string{}, p.Ignored...), Lines: make([]*generated.AlertImportLine, len(p.Rows))}
	if !p.Since.IsZero() {
		out.Since = new(p.Since.UTC())
		if p.New > 0 {
			out.Days, out.CountiesLater, out.CountiesCovered = &p.Days, &p.Later, &p.Jails
		}
	}
	for i, row := range p.Rows {
		l := &generated.AlertImportLine{
			Line: row.Line, Result: row.Outcome, Name: models.NilIfEmpty(row.Name), Field: models.NilIfEmpty(row.Field),
			Message: models.NilIfEmpty(row.Message), AlertID: models.NilIfEmpty(row.AlertID), Differs: append([]string{}, row.Differs...),
			Alike: models.NilIfEmpty(row.Alike),
		}
		if row.SameLine != 0 {
			l.SameLine = &row.SameLine
		}
		if row.Outcome == enroll.Create && out.Since != nil {
			l.ByName, l.ByVariant = &row.ByName, &row.ByVariant
		}
		out.Lines[i] = l
	}
	return out
}

// chosen says which watchers a change of many is for.
func chosen(label *string, ids []string) (alert.Chosen, error) {
	if len(ids) > models.MaxLimit {
		return alert.Chosen{}, models.InvalidBody("ids", fmt.Sprintf("ids holds more than %d; change fewer at a time, or all of a label", models.MaxLimit))
	}
	return alert.Chosen{Label: label, IDs: ids}, nil
}

// many names watchers in the trail.
func many(n int, label *string) string {
	if label == nil {
		return plural.Of(n, "alert")
	}
	return plural.Of(n, "alert") + " of " + *label
}
