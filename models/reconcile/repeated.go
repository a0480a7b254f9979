package reconcile

import (
	"context"
	"fmt"
)

// toldBefore tells that a source told the row s before, as its sighting g remembers, by itself or beside others of its key (heedRepeated).
const toldBefore = `g.print in (s.print, s.print || '\x01')`

// dedupeRoster keeps the newest row of each key, of one instant the row of the later day of booking, as a number
// can be used again; a row of another person or booking under the same key is rejected. In a list of everybody, rows of one
// key and instant that contradict each other are in no order: the one that is known already stays, else one that
// releases nobody. Where only changes are told, the last row is the newest.
func (st *staging) dedupeRoster(ctx context.Context) error {
	var some bool
	if err := st.tx.QueryRow(ctx, `select exists (select from staged group by booking_key having count(*) > 1)`).Scan(&some); err != nil {
		return fmt.Errorf("look for repeated keys: %w", err)
	}
	if !some {
		return nil
	}
	if err := st.tellApart(ctx); err != nil {
		return err
	}
	err := st.exec(ctx, "find repeated keys", `create temp table repeated on commit drop as
 select s.ord, first_value(s.ord) over w as kept from staged s left join sightings g on $2 and g.source_id = $1 and g.booking_key = s.booking_key
 where s.booking_key in (select booking_key from staged group by 1 having count(*) > 1)
 window w as (partition by s.booking_key order by s.seen_at desc, georgia_clock(s.booked_at)::date desc, `+toldBefore+` desc nulls last,
  $2 and s.released_at is not null, case when $2 then s.print end, s.ord desc)`, st.SourceID, st.Tracks)
	if err != nil {
		return err
	}
	return st.dropRepeated(ctx)
}

// dropRepeated drops the rows in repeated but those that are kept; one of another person is rejected.
func (st *staging) dropRepeated(ctx context.Context) error {
	err := st.guard(ctx, `select s.ord, k.name, k.dob, s.name, s.dob from repeated r join staged s on s.ord = r.ord join staged k on k.ord = r.kept
 where r.ord <> r.kept and (s.name_key <> k.name_key or s.dob <> k.dob)`)
	if err != nil {
		return err
	}
	if err := st.heedRepeated(ctx); err != nil {
		return err
	}
	st.applied.Repeated, err = st.count(ctx, "drop repeated rows", `delete from staged s using repeated r where s.ord = r.ord and r.ord <> r.kept`)
	return err
}

// anotherBooking is why a row is rejected whose key, made of a name and a time, belongs to another row of its snapshot.
const anotherBooking = "another row of the snapshot has this key, and its age, charges or bond are others"

// tellApart rejects the rows that have the key of another one by chance: two people of one name who were booked
// on one day, where the source gives no number. A row told twice has the same facts; one of which only one tells
// a release, or of which one leaves charges or bond out, are the same booking at two times. The row that the
// source told before keeps the key, else the first.
func (st *staging) tellApart(ctx context.Context) error {
	if !st.Unnumbered {
		return nil
	}
	var ords []int64
	err := st.tx.QueryRow(ctx, `with twice as (
 select * from staged where booking_key in (select booking_key from staged group by 1 having count(*) > 1)
), anchor as (
 select distinct on (s.booking_key) s.* from twice s left join sightings g on g.source_id = $1 and g.booking_key = s.booking_key
 order by s.booking_key, `+toldBefore+` desc nulls last, s.ord)
select coalesce(array_agg(s.ord), '{}') from twice s join anchor a on a.booking_key = s.booking_key
 where s.ord <> a.ord and s.seen_at = a.seen_at and (abs(s.age - a.age) > 1 or s.birth_year <> a.birth_year or (s.released_at is null) = (a.released_at is null) and (
  s.bond_cents <> a.bond_cents or s.charges <> '{}' and a.charges <> '{}' and not (s.charges <@ a.charges and a.charges <@ s.charges)))`, st.SourceID).Scan(&ords)
	if err != nil {
		return fmt.Errorf("tell rows of one key apart: %w", err)
	}
	return st.reject(ctx, "identity.booking", anotherBooking, ords)
}
