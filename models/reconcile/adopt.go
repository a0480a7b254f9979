package reconcile

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db"
)

// adoptBookings recognises bookings that a takeover or another source has told about: same county,
// same instant of booking, same words in the name, no other date of birth. With Renumbered, also those of
// this source whose keys the snapshot lacks. Where several rows or several bookings could be meant, none is.
func (st *staging) adoptBookings(ctx context.Context) (err error) {
	if st.filling || st.work.fresh == 0 {
		return nil // there is nothing yet, or nothing new
	}
	st.applied.Adopted, err = st.count(ctx, "adopt bookings", `insert into known (ord, rid, same, away, newer, older, adopted)
 select ord, rid, false, false, seen_at >= coalesce(released_at, seen_at), seen_at < coalesce(released_at, seen_at), true from (
 select s.ord, b.rid, s.seen_at, b.released_at, count(*) over (partition by s.ord) as of_row, count(*) over (partition by b.rid) as of_booking
 from staged s cross join lateral (select rid, released_at from bookings b -- row by row (offset), whatever the server guesses
  where b.county_id = s.county_id and b.booked_at = s.booked_at and (b.imported or b.source_id <> $1 or $2)
   and b.withheld is distinct from 'merged' and (b.dob is null or s.dob is null or b.dob = s.dob)
   and (b.name_key = s.name_key or sorted_words(b.name_key) = sorted_words(s.name_key)) offset 0) b
 where not exists (select from known k where k.ord = s.ord)
  and not exists (select from `+db.SightingsOf("b.rid")+` g where g.source_id = $1
   and not ($2 and g.present and not exists (select from staged x where x.booking_key = g.booking_key)))) c
 where of_row = 1 and of_booking = 1`, st.SourceID, st.Renumbered)
	if err == nil && st.Namesake != nil {
		err = st.adoptAlike(ctx)
	}
	if err != nil || st.applied.Adopted == 0 {
		return err
	}
	return st.tally(ctx)
}

// nearBookings are the bookings of others (b) that the rows of nobody known (s) may speak of by their time:
// it is the same but for Nearby, or one of the two tells only the day, as midnight. Somebody can be booked
// twice in a day: of a day alone, a booking that is over is not the one of a row that says that it is not.
var nearBookings = `select s.ord, b.rid, b.name, b.dob, s.name, s.dob from staged s
 cross join lateral (select georgia_clock(s.booked_at) as clock, s.booked_at - georgia_clock(s.booked_at)::time as midnight) l
 join lateral (
  select rid, name, dob, name_key, imported, source_id, withheld from bookings b where b.county_id = s.county_id and b.booked_at between s.booked_at - make_interval(secs => $2) and s.booked_at + make_interval(secs => $2)
  union
  select rid, name, dob, name_key, imported, source_id, withheld from bookings b where b.county_id = s.county_id and b.booked_at between l.midnight - interval '1 hour' and l.midnight + interval '1 hour'
   and georgia_clock(b.booked_at) = l.clock::date and (b.released_at is null or s.released_at is not null)
  union
  select rid, name, dob, name_key, imported, source_id, withheld from bookings b where l.clock::time = '00:00' and b.county_id = s.county_id and b.booked_at between s.booked_at and s.booked_at + interval '25 hours'
   and georgia_clock(b.booked_at)::date = l.clock::date and (b.released_at is null or s.released_at is not null)) b on true
 where not exists (select from known k where k.ord = s.ord) and exists (select from source_counties c where c.county_id = s.county_id and c.source_id <> $1)
  and (b.imported or b.source_id <> $1) and b.withheld is distinct from 'merged' and not exists (select from known k where k.rid = b.rid)
  and not exists (select from ` + db.SightingsOf("b.rid") + ` g where g.source_id = $1) and string_to_array(b.name_key, ' ') && string_to_array(s.name_key, ' ')`

// adoptAlike recognises bookings that another source writes a little differently: the name without its middle
// part, the time a minute apart or only the day. It takes a pair when neither could be paired otherwise: two
// bookings of one fact are two alerts, but one of two facts is a person whom nobody finds.
func (st *staging) adoptAlike(ctx context.Context) error {
	pairs, err := st.alike(ctx, nearBookings, st.SourceID, models.Nearby.Seconds())
	if err != nil || len(pairs) == 0 {
		return err
	}
	ords, rids := onlyPairs(pairs)
	n, err := st.count(ctx, "adopt bookings that are written otherwise", `insert into known (ord, rid, same, away, newer, older, adopted)
 select s.ord, b.rid, false, false, s.seen_at >= coalesce(b.released_at, s.seen_at), s.seen_at < coalesce(b.released_at, s.seen_at), true
 from unnest($1::bigint[], $2::bigint[]) p (ord, rid) join staged s on s.ord = p.ord join bookings b on b.rid = p.rid`, ords, rids)
	st.applied.Adopted += n
	return err
}

// alike gives those pairs of row and booking that query lists whose names one person may have.
func (st *staging) alike(ctx context.Context, query string, args ...any) (pairs [][2]int64, err error) {
	rows, err := st.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("compare names: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p [2]int64
		var known, row models.Identity
		if err := rows.Scan(&p[0], &p[1], &known.Name, &known.DOB, &row.Name, &row.DOB); err != nil {
			return nil, fmt.Errorf("compare names: %w", err)
		}
		if st.Namesake(known, row) {
			pairs = append(pairs, p)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("compare names: %w", err)
	}
	return pairs, nil
}

// settleShared keeps two sources from writing a booking to and fro that each writes its own way: the name is
// that of the source that told of it first, and the time is hers too, but that the minute is worth more than
// the day. What differs by more than that is a correction, whoever makes it.
func (st *staging) settleShared(ctx context.Context) error {
	if st.Namesake == nil || st.filling || st.work.told == 0 {
		return nil
	}
	err := st.exec(ctx, "settle times of shared bookings", `update staged t set booked_at = b.booked_at
 from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where t.ord = s.ord and not k.older and (not k.same or k.away) and not b.imported and s.booked_at <> b.booked_at
  and exists (select from `+db.SightingsOf("b.rid")+` g where g.source_id <> $1)
  and (b.source_id <> $1 and abs(extract(epoch from s.booked_at - b.booked_at)) <= $2 and (georgia_clock(b.booked_at)::time <> '00:00' or georgia_clock(s.booked_at)::time = '00:00')
   or georgia_clock(s.booked_at)::time = '00:00' and georgia_clock(s.booked_at)::date = georgia_clock(b.booked_at)::date)`, st.SourceID, models.Nearby.Seconds())
	if err != nil {
		return err
	}
	pairs, err := st.alike(ctx, `select s.ord, b.rid, b.name, b.dob, s.name, s.dob from known k join staged s on s.ord = k.ord join bookings b on b.rid = k.rid
 where not k.older and (not k.same or k.away) and not b.imported and b.source_id <> $1 and s.name <> b.name`, st.SourceID)
	if err != nil || len(pairs) == 0 {
		return err
	}
	ords := make([]int64, len(pairs))
	for i, p := range pairs {
		ords[i] = p[0]
	}
	return st.exec(ctx, "settle names of shared bookings", `update staged s set name = b.name, name_key = b.name_key from known k join bookings b on b.rid = k.rid where k.ord = s.ord and s.ord = any($1)`, ords)
}

// claimAdopted makes bookings of a takeover those of the source that tells of them.
func (st *staging) claimAdopted(ctx context.Context) error {
	if st.applied.Adopted == 0 {
		return nil
	}
	return st.exec(ctx, "mark adopted bookings", `update bookings b set imported = false, source_id = case when b.imported then $1 else b.source_id end
 from known k where k.adopted and k.rid = b.rid and b.imported`, st.SourceID)
}
