package reconcile

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// wouldEnd is the kind of change that ends a stay.
const wouldEnd = "released"

// fact is one that may change of many records at once; changes tells of a row of the table changed that it does.
type fact struct {
	name, changes string
	late          bool
}

// factsOf is where the changed rows of a family are, the key of their record, when they are released, and other facts.
type factsOf struct {
	from, key, released string
	facts               []fact
}

// bookingFacts leaves out whom the source tells for the first time, as those are others' bookings until now.
func (st *staging) bookingFacts() factsOf {
	lists := strconv.FormatBool(st.Tracks)
	return factsOf{`changed c join known k on k.ord = c.ord and ` + ownRow, `c.rid`, `c.old_released is null and c.released_at is not null`, []fact{
		{"time of booking", `c.old_booked <> c.booked_at`, false},
		{"birth date", `c.old_dob <> c.dob or c.old_year <> c.birth_year`, false},
		{"name", `c.old_key <> c.name_key`, false},
		{"charges", `c.old_charges <> '{}' and c.old_charges <> c.told_charges and (` + lists + ` or c.told_charges = '{}' and c.released_at is null)`, true},
		{"bond", `c.old_bond is not null and c.old_bond is distinct from c.told_bond and (` + lists + ` or c.told_bond is null and c.released_at is null)`, true},
	}}
}

// each are the changes one by one, as kind and key, with what absence shows.
func (st *staging) each(f factsOf) string {
	kinds := make([]string, 0, len(f.facts)+1)
	for _, k := range append([]fact{{wouldEnd, f.released, false}}, f.facts...) {
		kinds = append(kinds, fmt.Sprintf(`('%s', %s)`, k.name, k.changes))
	}
	sql := `select f.kind, ` + f.key + ` as record from ` + f.from + ` cross join lateral (values ` + strings.Join(kinds, `, `) + `) f (kind, holds) where f.holds`
	switch {
	case st.work.gone == 0:
		return sql
	case st.work.changed == 0 && f.key == `c.rid`: // there is no such table
		sql = `select ''::text as kind, null::bigint as record where false`
	}
	return sql + ` union all select '` + wouldEnd + `', rid from inferred where old_released is null and released_at is not null`
}

// weigh counts the changes of each kind.
func (st *staging) weigh(ctx context.Context, f factsOf) error {
	u := &st.upheaval
	counts := []string{`count(*) filter (where ` + f.released + `)`}
	u.Rewrites = make([]models.Rewrite, len(f.facts))
	into := []any{&u.Closed}
	for i, k := range f.facts {
		counts = append(counts, `count(*) filter (where `+k.changes+`)`)
		u.Rewrites[i] = models.Rewrite{Fact: k.name, Late: k.late}
		into = append(into, &u.Rewrites[i].Rows)
	}
	if err := st.tx.QueryRow(ctx, `select `+strings.Join(counts, `, `)+` from `+f.from).Scan(into...); err != nil {
		return fmt.Errorf("weigh changes: %w", err)
	}
	return nil
}

// agreedTo are the changes to which the operator agreed, as kind and key; the run is $1.
const agreedTo = `(select e.key as kind, r.value::bigint as record from runs, jsonb_each(would) e, jsonb_array_elements_text(e.value) r where id = $1)`

// maxOthers bounds how many ids a reason names.
const maxOthers = 5

// agreed counts what the run would change to which an operator agreed.
func (st *staging) agreed(ctx context.Context, f factsOf) error {
	if st.Cleared == 0 {
		return nil
	}
	u := &st.upheaval
	rows, err := st.tx.Query(ctx, `select e.kind, count(*) from (`+st.each(f)+`) e join `+agreedTo+` a on a.kind = e.kind and a.record = e.record group by 1`, st.Cleared)
	if err != nil {
		return fmt.Errorf("count what was cleared: %w", err)
	}
	var kind string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&kind, &n}, func() error {
		if kind == wouldEnd {
			u.Agreed = n
		}
		for i := range u.Rewrites {
			if u.Rewrites[i].Fact == kind {
				u.Rewrites[i].Agreed = n
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count what was cleared: %w", err)
	}
	if f.key != `c.rid` {
		return nil
	}
	rows, err = st.tx.Query(ctx, `select b.id from (`+st.each(f)+`) e join bookings b on b.rid = e.record
 where e.kind = $2 and b.withheld is null and not exists (select from `+agreedTo+` a where a.kind = e.kind and a.record = e.record) order by b.id limit $3`, st.Cleared, wouldEnd, maxOthers)
	if err != nil {
		return fmt.Errorf("list who was not cleared: %w", err)
	}
	if u.Others, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return fmt.Errorf("list who was not cleared: %w", err)
	}
	return nil
}

// agreedGone counts those of the vanished to whose release an operator agreed.
func (st *staging) agreedGone(ctx context.Context) (n int, err error) {
	if st.Cleared == 0 {
		return 0, nil
	}
	err = st.tx.QueryRow(ctx, `select count(distinct v.rid) from vanished v join `+agreedTo+` a on a.kind = $2 and a.record = v.rid`, st.Cleared, wouldEnd).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count who was cleared: %w", err)
	}
	return n, nil
}

// wouldChange lists whom the snapshot would change, when all of it was read.
func (st *staging) wouldChange(ctx context.Context, f factsOf) (models.Would, error) {
	return st.would(ctx, st.each(f))
}

// wouldRelease lists whom the snapshot would release, by absence or by its rows, before anything is compared.
func (st *staging) wouldRelease(ctx context.Context) (models.Would, error) {
	return st.would(ctx, `select '`+wouldEnd+`' as kind, b.rid as record from sightings g join bookings b on b.rid = g.rid left join staged s on s.booking_key = g.booking_key
 where g.source_id = $1 and g.present and b.released_at is null and ($2 = 0 or b.booked_at > $3::timestamptz - make_interval(days => $2)) group by b.rid having bool_and(s.ord is null or s.released_at is not null)`,
		st.SourceID, st.WindowDays, st.At)
}

func (st *staging) would(ctx context.Context, changes string, args ...any) (models.Would, error) {
	rows, err := st.tx.Query(ctx, `select kind, array_agg(record order by record) from (`+changes+`) e group by 1`, args...)
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	would := models.Would{}
	var kind string
	var records []int64
	_, err = pgx.ForEachRow(rows, []any{&kind, &records}, func() error {
		would[kind], records = records, nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list what is held: %w", err)
	}
	return would, nil
}

// hold is the verdict that nothing may be applied. Absence from a list of everybody would have released people.
func (st *staging) hold(ctx context.Context, family models.Family) error {
	held := &models.HeldError{Reason: st.verdict.Hold}
	if family != models.Roster || !st.Tracks || !st.Releases || !st.verdict.Proven {
		return held
	}
	var err error
	if held.Would, err = st.wouldRelease(ctx); err != nil {
		return err
	}
	return held
}
