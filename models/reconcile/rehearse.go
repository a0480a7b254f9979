package reconcile

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// maxGone bounds how many closed records a rehearsal lists, maxListed how many of each other kind; the counts are whole.
const maxGone, maxListed = 1000, 200

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// rehearsals are the questions about what was done, by family. Gone is asked with generation, run, instant and limit,
// fresh with the limit, altered with the generation, run, instant, limit and family. They name no record that is withheld.
var rehearsals = map[models.Family]struct{ gone, fresh, altered string }{
	models.Roster: {
		gone: `select b.id, b.name, b.booked_at, b.release_inferred from bookings b
 where b.gen = $1 and b.released_at is not null and exists (select from record_changes h where h.family = 'roster' and h.record = b.rid and h.run_id = $2
  and h.field = 'released_at' and h.before is null and h.at = $3) order by b.name, b.id limit $4`,
		fresh:   `select '', b.name, b.booked_at, false from fresh_rows f join bookings b on b.rid = f.rid where b.withheld is null order by b.name, b.id limit $1`,
		altered: alteredSQL(`select b.rid as key, b.id, b.name from bookings b where b.gen = $1 and b.withheld is null`),
	},
}

// alteredSQL asks for the version rows that a run wrote of records, but for a stated or inferred release, which closes them.
func alteredSQL(records string) string {
	return `with altered as (select r.key, r.id, r.name, count(*) over () as alters from (` + records + `) r
  where exists (select from record_changes h where h.family = $5 and h.record = r.key and h.run_id = $2 and h.at = $3 and h.field <> 'withheld' and h.field <> 'release_inferred' and not (h.field = 'released_at' and h.before is null))
  order by r.name, r.id limit $4)
 select a.id, a.name, a.alters, h.field, h.before, h.after from altered a join record_changes h on h.family = $5 and h.record = a.key and h.run_id = $2 and h.at = $3 order by a.name, a.id, h.id`
}

// rehearse tells what was done, and then undoes it by its error.
func (st *staging) rehearse(ctx context.Context, family models.Family) error {
	out := models.Rehearsal{Applied: st.applied, Complete: st.verdict.Complete}
	ask := rehearsals[family]
	var err error
	if ask.gone != "" {
		if out.Gone, err = st.listed(ctx, ask.gone, st.applied.Generation, st.RunID, st.Now, maxGone); err != nil {
			return fmt.Errorf("list who would be gone: %w", err)
		}
	}
	if out.Fresh, err = st.listed(ctx, ask.fresh, maxListed); err != nil {
		return fmt.Errorf("list who would be new: %w", err)
	}
	if err = st.listAltered(ctx, family, &out); err != nil {
		return fmt.Errorf("list who would change: %w", err)
	}
	st.Rehearse(out)
	return errRehearsed
}

func (st *staging) listed(ctx context.Context, query string, args ...any) ([]models.Gone, error) {
	rows, err := st.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[models.Gone])
}

// listAltered reads what would change, one row a fact.
func (st *staging) listAltered(ctx context.Context, family models.Family, out *models.Rehearsal) error {
	rows, err := st.tx.Query(ctx, rehearsals[family].altered, st.applied.Generation, st.RunID, st.Now, maxListed, family)
	if err != nil {
		return err
	}
	var (
		id, name string
		v        models.FactVersion
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &name, &out.Alters, &v.Field, &v.Before, &v.After}, func() error {
		c, ok, err := models.Present(family, v)
		if err != nil || !ok {
			return err
		}
		if n := len(out.Altered); n == 0 || out.Altered[n-1].ID != id || out.Altered[n-1].Name != name {
			out.Altered = append(out.Altered, models.Altered{ID: id, Name: name})
		}
		last := &out.Altered[len(out.Altered)-1]
		last.Changes = append(last.Changes, models.FactChange{Field: c.Field, Before: c.Before, After: c.After})
		return nil
	})
	return err
}
