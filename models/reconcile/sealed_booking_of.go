package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// groundsOf asks of the bookings that the grounds $1 (bookings) and $2 (court cases) concern whether they are
// to be withheld: those that they keep withheld now, those near $1 or of one person by a source's number, and those that $2 name by number, filed
// from a year before the booking until two years after.
var groundsOf = `with concerned as materialized (
  select b.rid from bookings b where b.sealed_by = any($1) or b.sealed_case = any($2)
  union
  select b.rid from bookings h join bookings b on b.county_id = h.county_id and b.withheld is null and b.rid <> h.rid and ` + akin + `
   and b.booked_at between h.booked_at - interval '3 days' and h.booked_at + interval '3 days' and abs(georgia_clock(b.booked_at)::date - georgia_clock(h.booked_at)::date) <= 1
  where h.rid = any($1) and ` + isGround + `
  union
  select b.rid from bookings h cross join lateral ` + db.SightingsOf("h.rid") + ` g join sightings x on x.source_id = g.source_id and x.person_key = g.person_key
   join bookings b on b.rid = x.rid and b.county_id = h.county_id and b.withheld is null and b.dob is null and b.rid <> h.rid where h.rid = any($1) and ` + isGround + `
  union
  select b.rid from court_cases c join bookings b on b.county_id = c.county_id and b.withheld is null
   and b.booked_at between c.filed_date - interval '2 years' and c.filed_date + interval '1 year' and minor_on(georgia_clock(b.booked_at)::date, c.dob, c.birth_year)
   join booking_numbers n on n.rid = b.rid and n.number = booking_number(c.booking_key)
  where c.id = any($2) and c.booking_key is not null and minor_on((c.filed_date - interval '2 years')::date, c.dob, c.birth_year)),
 open as materialized (select b.*, georgia_clock(b.booked_at)::date as day from bookings b join concerned using (rid) where not ` + fmt.Sprintf(lifted, "b.rid") + `),
 why as (
  select b.rid, h.rid as booking, null::bigint as kase, h.name, h.dob, h.birth_year from open b join bookings h on h.county_id = b.county_id and h.rid <> b.rid and ` + akin + ` and ` + isGround + `
   and h.booked_at between b.booked_at - interval '3 days' and b.booked_at + interval '3 days' and abs(georgia_clock(h.booked_at)::date - b.day) <= 1
   and (` + fmt.Sprintf(foreign, "select o.source_id from sightings o where o.rid = b.rid") + ` or not ` + fmt.Sprintf(listedBoth, "$3", "$4::timestamptz") + `)
  union all
  select b.rid, h.rid, null, h.name, h.dob, h.birth_year from open b cross join lateral ` + db.SightingsOf("b.rid") + ` x join sightings g on g.source_id = x.source_id and g.person_key = x.person_key
   join bookings h on h.rid = g.rid and h.county_id = b.county_id and h.rid <> b.rid and ` + isGround + ` where b.dob is null and ` + fmt.Sprintf(numberedAlike, "b.day") + `
  union all
  select b.rid, null, c.id, c.defendant, c.dob, c.birth_year from open b join booking_numbers n on n.rid = b.rid
   join court_cases c on c.county_id = b.county_id and c.booking_key is not null and booking_number(c.booking_key) = n.number
   and minor_on(b.day, c.dob, c.birth_year) and ` + believedCase + ` and not ` + apart + `)
 select b.rid, w.booking, w.kase, w.name, w.dob, w.birth_year, b.name, b.dob, b.birth_year from open b left join why w on w.rid = b.rid order by 1, 2, 3`

// sealBookingsOf brings bookings in line with others (rids) and with court cases that began or ceased to be a
// ground to withhold them, or told more of the birth. It gives those that the public lost and those that it got.
func sealBookingsOf(ctx context.Context, tx pgx.Tx, rids, cases []int64, by sealer) (hidden, shown []int64, err error) {
	if len(rids) == 0 && len(cases) == 0 {
		return nil, nil, nil
	}
	found, err := grounds(ctx, tx, groundsOf, rids, cases, by.sourceID, by.listsAt)
	if err != nil || len(found) == 0 {
		return nil, nil, err
	}
	keys := make([]int64, 0, len(found))
	bookings, kases := make([]*int64, 0, len(found)), make([]*int64, 0, len(found))
	for rid, g := range found {
		keys, bookings, kases = append(keys, rid), append(bookings, g.Booking), append(kases, g.Case)
	}
	_, err = tx.Exec(ctx, `create temp table resealed on commit drop as select b.rid, b.source_id, b.withheld as old_withheld, u.booking, u.kase,
  case when u.booking is not null or u.kase is not null or exists (select from reviews r where r.family = 'roster' and r.record = b.rid and r.decision = 'kept' and r.ended_at is null) then $4 end as withheld
 from unnest($1::bigint[], $2::bigint[], $3::bigint[]) u (rid, booking, kase) join bookings b on b.rid = u.rid
 where (b.sealed_by, b.sealed_case) is distinct from (u.booking, u.kase)`, keys, bookings, kases, models.MaybeJuvenile)
	if err != nil {
		return nil, nil, fmt.Errorf("list bookings of juveniles: %w", err)
	}
	if hidden, shown, err = writeGrounds(ctx, tx, by); err != nil {
		return nil, nil, fmt.Errorf("withhold bookings of juveniles: %w", err)
	}
	return hidden, shown, nil
}

// writeGrounds writes what the table resealed says of bookings, with version rows.
func writeGrounds(ctx context.Context, tx pgx.Tx, by sealer) (hidden, shown []int64, err error) {
	var some bool
	err = tx.QueryRow(ctx, `select coalesce(array_agg(rid order by rid) filter (where old_withheld is null and withheld is not null), '{}'),
 coalesce(array_agg(rid order by rid) filter (where old_withheld is not null and withheld is null), '{}'), count(*) > 0 from resealed`).Scan(&hidden, &shown, &some)
	if err != nil {
		return nil, nil, err
	}
	if !some {
		_, err = tx.Exec(ctx, `drop table resealed`)
		return nil, nil, err
	}
	gen, err := db.NextGeneration(ctx, tx, models.Roster)
	if err != nil {
		return nil, nil, err
	}
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{`insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'roster', rid, $1, coalesce($2, source_id), $3, 'withheld', old_withheld, withheld from resealed where withheld is distinct from old_withheld order by rid`, []any{by.now, by.sourceID, by.runID}},
		{`update bookings b set withheld = s.withheld, sealed_by = s.booking, sealed_case = s.kase,
  last_change = case when s.withheld is distinct from s.old_withheld then $1 else b.last_change end, gen = $2 from resealed s where s.rid = b.rid`, []any{by.now, gen}},
		{`drop table resealed`, nil},
	} {
		if _, err := tx.Exec(ctx, step.sql, step.args...); err != nil {
			return nil, nil, err
		}
	}
	return hidden, shown, nil
}

// resealBookings brings the bookings of others in line with what this snapshot of a roster withheld, or
// withholds no more. They are listed in the table resealed_now, for the changes that this makes.
func (st *staging) resealBookings(ctx context.Context) error {
	if st.work.fresh == 0 && st.work.told == 0 && len(st.children()) == 0 {
		return nil
	}
	late, rids, err := st.heedLate(ctx)
	if err != nil {
		return err
	}
	if st.work.fresh > 0 || st.work.told > 0 {
		err = st.tx.QueryRow(ctx, `select coalesce(array_agg(rid), '{}') from (
 select unnest($2::bigint[]) as rid union select f.rid from staged s join fresh_rows f on f.ord = s.ord where s.withheld in `+juveniles+` and s.sealed_by is null and `+heard+`
 union select rid from changed where (withheld, sealed_by) is distinct from (old_withheld, old_sealed_by)
  or withheld in `+juveniles+` and (old_name, old_dob, old_year, old_booked) is distinct from (name, dob, birth_year, booked_at)
 union select k.rid from known k join bookings b on b.rid = k.rid where k.adopted and b.withheld in `+juveniles+`) x`, st.SourceID, rids).Scan(&rids)
		if err != nil {
			return fmt.Errorf("find bookings that were withheld: %w", err)
		}
	}
	by := st.sealer()
	if st.verdict.Complete {
		by.listsAt = &st.At
	}
	hidden, shown, err := sealBookingsOf(ctx, st.tx, rids, nil, by)
	hidden = append(hidden, late...)
	if st.work.hushed = len(hidden) + len(shown); err != nil || st.work.hushed == 0 {
		return err
	}
	return st.exec(ctx, "list bookings of juveniles", `create temp table resealed_now on commit drop as select rid, null::text as old_withheld from unnest($1::bigint[]) rid
 union all select rid, $3 from unnest($2::bigint[]) rid`, hidden, shown, models.MaybeJuvenile)
}

// sealer is who says so: the snapshot, or without a run an operator.
func (st *staging) sealer() sealer {
	if st.RunID == 0 {
		return sealer{now: st.Now}
	}
	return sealer{now: st.Now, sourceID: &st.SourceID, runID: &st.RunID}
}

// FollowCases withholds, in a transaction of the caller, the bookings that some cases name with the birth of somebody under
// 17, and publishes those that were withheld on account of cases which do not any more.
func (s *Store) FollowCases(ctx context.Context, tx pgx.Tx, cases []int64, source string, run int64, now time.Time) error {
	st := &staging{store: s, tx: tx, Reconciler: models.Reconciler{Snapshot: models.Snapshot{SourceID: source, RunID: run, Now: now}}}
	hidden, shown, err := sealBookingsOf(ctx, tx, nil, cases, st.sealer())
	if err != nil {
		return err
	}
	if err := st.followBookings(ctx, hidden, shown); err != nil {
		return err
	}
	return st.sealBatch(ctx)
}

// followBookings does what follows from bookings that the public lost or got: others and cases of the same
// people, what is under way of them, and the notices.
func (st *staging) followBookings(ctx context.Context, hidden, shown []int64) error {
	if len(hidden)+len(shown) == 0 {
		return nil
	}
	more, less, err := sealBookingsOf(ctx, st.tx, slices.Concat(hidden, shown), nil, st.sealer())
	if err != nil {
		return err
	}
	hidden, shown = append(hidden, more...), append(shown, less...)
	all := slices.Concat(hidden, shown)
	if err := st.followedByCases(ctx, all); err != nil {
		return err
	}
	if err := hush(ctx, st.tx, hidden, st.detectedAt()); err != nil {
		return err
	}
	return st.tellSealed(ctx, all)
}

// tellSealed writes what watchers are to know of bookings that were withheld or published: a booking, while the
// person is in jail, or that what they were told of may be shown no more.
func (st *staging) tellSealed(ctx context.Context, rids []int64) error {
	n, err := st.count(ctx, "find changes", `create temp table found on commit drop as
 select case when b.withheld is null then 'booking' else 'sealed' end as kind, b.rid, null::text as old_name, null::date as old_dob, null::smallint as old_year, null::bigint as retracts, null::bigint as old_bond
 from bookings b where b.rid = any($1) and case when b.withheld is null then b.released_at is null else exists (select from changes c where c.rid = b.rid) end`, rids)
	if err != nil || n == 0 {
		return err
	}
	return st.writeChanges(ctx)
}
