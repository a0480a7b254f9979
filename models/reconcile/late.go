package reconcile

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db"
)

// What is newer rules the facts of a record. But that a row speaks of a juvenile counts in whatever order it comes: in a file
// that is late, or in a row beside a newer one of its key that leaves the birth out. In the right order it would have hidden
// the record, and the blank after it would have published nobody.

// heedRepeated has the rows that are kept hide their records where a row of their key, which is dropped, speaks of a juvenile:
// unless the one that is kept is newer and tells a birth date itself. Its print says so, or it would be taken for
// what it was before.
func (st *staging) heedRepeated(ctx context.Context) error {
	told, doubt, sign := `null::text as sign`, ``, ``
	if st.key == stagedKeys[models.Roster] { // rows of others have neither
		told, doubt = `nullif(s.sign, 'no') as sign`, ` and s.age_doubt is null`
		sign = `, age_doubt = null, sign = case when 'more' in (k.sign, y.sign) then 'more' else coalesce(y.sign, k.sign) end`
	}
	return st.exec(ctx, "withhold by repeated rows", `update staged k set withheld = case when k.dob is null then y.withheld else $2 end, dob = coalesce(k.dob, y.dob), birth_year = coalesce(k.birth_year, y.birth_year),
  print = k.print || '\x01'`+sign+` from (select distinct on (r.kept) r.kept, s.withheld, s.dob, s.birth_year, s.seen_at, `+told+` from repeated r join staged s on s.ord = r.ord
  where r.ord <> r.kept and s.withheld is not null`+doubt+` order by r.kept, s.withheld <> $1, s.seen_at desc) y
 where k.ord = y.kept and (k.withheld is null or k.withheld <> $1 and y.withheld = $1) and (k.dob is null or k.seen_at = y.seen_at)`, models.Juvenile, models.MaybeJuvenile)
}

// heedLate hides the bookings of whom a late row speaks as of juveniles, or one that could not be read, while no birth date is known of
// them, and lists them. A flag that was taken back since, and what an operator lifted, stays so however often the row comes again.
func (st *staging) heedLate(ctx context.Context) (hidden, all []int64, err error) {
	children := st.children()
	if st.work.older == 0 && len(children) == 0 {
		return nil, nil, nil
	}
	n, err := st.count(ctx, "find juveniles of late rows", `create temp table late on commit drop as select distinct on (rid) * from (
 select b.rid, s.booking_key, b.withheld as old_withheld, b.birth_year as old_year, s.withheld, s.dob, coalesce(s.birth_year, b.birth_year) as birth_year, s.sign, s.seen_at
 from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where k.older and s.withheld is not null and s.age_doubt is null and b.dob is null and coalesce(b.withheld, '') not in ($1, '`+models.Merged+`')
  and (s.withheld = $1 or b.birth_year is null and (b.withheld is null or b.sealed_by is not null or b.sealed_case is not null))
  and abs(georgia_clock(s.booked_at)::date - georgia_clock(b.booked_at)::date) <= 1
  and not (s.sign is not distinct from 'flag' and exists (select from `+db.SightingsOf("b.rid")+` g where g.source_id = $2 and g.sign = 'no'))
 union all
 select b.rid, c.key, b.withheld, b.birth_year, $3, null, b.birth_year, null, null from unnest($4::text[]) c (key) join sightings g on g.source_id = $2 and g.booking_key = c.key join bookings b on b.rid = g.rid
 where b.dob is null and b.withheld is null and not `+fmt.Sprintf(lifted, "b.rid")+`) l order by rid, withheld <> $1, seen_at desc nulls last`, models.Juvenile, st.SourceID, models.MaybeJuvenile, children)
	if err != nil || n == 0 {
		return nil, nil, err
	}
	err = st.tx.QueryRow(ctx, `select coalesce(array_agg(rid order by rid) filter (where old_withheld is null), '{}'), array_agg(rid order by rid) from late`).Scan(&hidden, &all)
	if err != nil {
		return nil, nil, fmt.Errorf("list juveniles of late rows: %w", err)
	}
	err = st.exec(ctx, "write versions of late rows", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'roster', l.rid, $1, $2, $3, f.field, f.before, f.after from late l cross join lateral (values
  ('dob', null, l.dob::text), ('birth_year', l.old_year::text, l.birth_year::text), ('withheld', l.old_withheld, l.withheld)) f (field, before, after)
 where f.before is distinct from f.after order by l.rid`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return nil, nil, err
	}
	err = st.exec(ctx, "withhold by late rows", `update bookings b set withheld = l.withheld, dob = l.dob, birth_year = l.birth_year, sealed_by = null, sealed_case = null, last_change = $1, gen = $2
 from late l where b.rid = l.rid`, st.Now, st.applied.Generation)
	if err != nil {
		return nil, nil, err
	}
	err = st.exec(ctx, "note signs of late rows", `update sightings g set sign = `+laterSign+` from late s where g.source_id = $1 and g.booking_key = s.booking_key`, st.SourceID)
	return hidden, all, err
}
