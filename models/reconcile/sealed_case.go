package reconcile

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// A case that speaks of a booking which is withheld as a juvenile's would name whom the jail's record hides.
// So it is withheld too, as MaybeJuvenile, until an operator looked at it, or the booking is published:
// court_cases.sealed_by is that booking, own_withheld why the case would be withheld by itself.

// juveniles are the reasons for which a booking takes its cases with it.
const juveniles = `('` + models.Juvenile + `', '` + models.MaybeJuvenile + `')`

// strongLink tells whether a link l between case and booking is more than a guess by name and offense.
const strongLink = `(l.pinned or l.confidence <> 'low')`

// apart tells whether an operator said that the case c is not of the booking b.
const apart = `exists (select from court_verdicts v where ` + db.OfVerdict + ` and v.verdict = 'dismissed' and v.family = 'roster' and v.person = b.id)`

// sealStaged withholds the staged cases that speak of a withheld booking: by its number, by a link, or as
// they did before. A case that an operator lifted by itself stays lifted.
func (st *staging) sealStaged(ctx context.Context) error {
	return st.exec(ctx, "withhold cases of juveniles", `with due as (
  select s.ord, s.county_id, s.court_type, s.case_number, s.party, c.id, booking_number(coalesce(s.booking_key, c.booking_key)) as number,
   case when s.booking_key is null or booking_number(s.booking_key) is not distinct from booking_number(c.booking_key) then c.sealed_by end as before
  from staged s left join known k on k.ord = s.ord left join court_cases c on c.id = k.id
  where s.has_case and (k.ord is null or not k.same and not k.older)
   and not exists (select from reviews r where r.family = 'courts' and r.record = c.id and r.decision = 'lifted' and r.ended_at is null)),
 hidden as materialized (select b.rid, b.county_id, n.number from bookings b join booking_numbers n on n.rid = b.rid
  where b.withheld in `+juveniles+` and b.county_id in (select county_id from due where number is not null)),
 found as (select c.ord, min(b.rid) as rid from (
   select d.ord, b.rid from due d join hidden b on b.county_id = d.county_id and b.number = d.number
   union select d.ord, l.rid from due d join court_links l on l.case_id = d.id and `+strongLink+`
   union select ord, before from due) x join due c on c.ord = x.ord join bookings b on b.rid = x.rid and b.withheld in `+juveniles+`
  where not `+apart+` group by c.ord)
 update staged s set own_withheld = s.withheld, withheld = coalesce(s.withheld, $1), sealed_by = f.rid from found f where f.ord = s.ord`, models.MaybeJuvenile)
}

// sealCases brings cases in line with the bookings that this snapshot withheld, or withholds no more, and
// with those that it told of under another number.
func (st *staging) sealCases(ctx context.Context) error {
	if st.work.fresh == 0 && st.work.told == 0 {
		return nil
	}
	resealed := ""
	if st.work.hushed > 0 {
		resealed = ` union select rid from resealed_now`
	}
	var rids []int64
	err := st.tx.QueryRow(ctx, `select coalesce(array_agg(rid), '{}') from (
 select f.rid from staged s join fresh_rows f on f.ord = s.ord where s.withheld in `+juveniles+`
 union select rid from changed where withheld is distinct from old_withheld
 union select k.rid from known k join bookings b on b.rid = k.rid where k.adopted and b.withheld in `+juveniles+resealed+`) x`).Scan(&rids)
	if err != nil {
		return fmt.Errorf("find bookings that were withheld: %w", err)
	}
	return SealCasesOf(ctx, st.tx, rids, st.sealer())
}

// Sealer is who says that cases are withheld or are not.
type Sealer struct {
	Now      time.Time
	sourceID *string // nil: that of the case
	runID    *int64
	listsAt  *time.Time // of a complete snapshot of a roster: its instant
}

// SealCasesOf withholds the cases that speak of those of some bookings that are withheld, also what was
// lifted before that was known, and lets go those that spoke of no other.
func SealCasesOf(ctx context.Context, tx pgx.Tx, rids []int64, by Sealer) error {
	if len(rids) == 0 {
		return nil
	}
	// Who reads a court source at this moment has these cases in hand, or will see these bookings.
	if _, err := tx.Exec(ctx, `select from generations where family = 'courts' for update`); err != nil {
		return fmt.Errorf("wait for writers of cases: %w", err)
	}
	_, err := tx.Exec(ctx, `create temp table sealing on commit drop as
 with near as (
  select c.id, b.rid from bookings b join booking_numbers n on n.rid = b.rid join court_cases c on c.county_id = b.county_id and c.booking_key is not null and booking_number(c.booking_key) = n.number
   where b.rid = any($1)
  union select l.case_id, l.rid from court_links l where l.rid = any($1) and `+strongLink+`
  union select id, sealed_by from court_cases where sealed_by = any($1)),
 hidden as materialized (select b.rid, b.county_id, n.number from bookings b join booking_numbers n on n.rid = b.rid
  where b.withheld in `+juveniles+` and b.county_id in (select county_id from court_cases where id in (select id from near))),
 all_of as (
  select c.id, h.rid from court_cases c join hidden h on h.county_id = c.county_id and h.number = booking_number(c.booking_key) where c.id in (select id from near)
  union select l.case_id, l.rid from court_links l where l.case_id in (select id from near) and `+strongLink+`
  union select id, sealed_by from court_cases where id in (select id from near)),
 found as (select c.id, min(b.rid) as rid from all_of a join court_cases c on c.id = a.id join bookings b on b.rid = a.rid and b.withheld in `+juveniles+` where not `+apart+` group by c.id)
 select c.id, c.source_id, c.withheld as old_withheld, c.sealed_by as old_seal, f.rid as sealed_by, o.own, case when f.rid is null then o.own else coalesce(o.own, $2) end as withheld
 from court_cases c left join found f on f.id = c.id cross join lateral (select coalesce(case when c.sealed_by is null then c.withheld else c.own_withheld end,
  (select reason from reviews r where r.family = 'courts' and r.record = c.id and r.decision = 'kept' and r.ended_at is null limit 1)) as own) o
 where c.id in (select id from near) and (f.rid is distinct from c.sealed_by or f.rid is not null and c.withheld is null)`, rids, models.MaybeJuvenile)
	if err != nil {
		return fmt.Errorf("find cases of juveniles: %w", err)
	}
	return writeSeals(ctx, tx, by)
}

// writeSeals writes what the table sealing says of cases, with version rows.
func writeSeals(ctx context.Context, tx pgx.Tx, by Sealer) error {
	var some bool
	if err := tx.QueryRow(ctx, `select exists (select from sealing)`).Scan(&some); err != nil {
		return fmt.Errorf("count cases of juveniles: %w", err)
	}
	if some {
		gen, err := db.NextGeneration(ctx, tx, models.Courts)
		if err != nil {
			return err
		}
		for _, step := range []struct {
			sql  string
			args []any
		}{
			{`update reviews r set ended_at = $1 from sealing s where r.family = 'courts' and r.record = s.id and r.decision = 'lifted' and r.ended_at is null and s.sealed_by is not null`, []any{by.Now}},
			{`insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'courts', id, $1, coalesce($2, source_id), $3, 'withheld', old_withheld, withheld from sealing where withheld is distinct from old_withheld order by id`, []any{by.Now, by.sourceID, by.runID}},
			{`update court_cases c set withheld = s.withheld, sealed_by = s.sealed_by, own_withheld = case when s.sealed_by is not null then s.own end,
  last_change = case when s.withheld is distinct from s.old_withheld then $1 else c.last_change end, gen = $2 from sealing s where s.id = c.id`, []any{by.Now, gen}},
		} {
			if _, err := tx.Exec(ctx, step.sql, step.args...); err != nil {
				return fmt.Errorf("withhold cases of juveniles: %w", err)
			}
		}
	}
	if _, err := tx.Exec(ctx, `drop table sealing`); err != nil {
		return fmt.Errorf("forget cases of juveniles: %w", err)
	}
	return nil
}
