package models

import (
	"context"
)

// adoptBookings recognises bookings that a takeover or another source has told about: same county,
// same instant of booking, same words in the name, no other date of birth. With Renumbered, also those of
// this source whose keys the snapshot lacks. Where several rows or several bookings could be meant, none is.
func (st *staging) adoptBookings(ctx context.Context) (err error) {
	st.applied.Adopted, err = st.count(ctx, "adopt bookings", `insert into known (ord, rid, same, away, newer, older, adopted)
 select ord, rid, false, false, seen_at >= coalesce(released_at, seen_at), seen_at < coalesce(released_at, seen_at), true from (
 select s.ord, b.rid, s.seen_at, b.released_at, count(*) over (partition by s.ord) as of_row, count(*) over (partition by b.rid) as of_booking
 from staged s join bookings b on b.county_id = s.county_id and b.booked_at = s.booked_at and (b.imported or b.source_id <> $1 or $2)
 where not exists (select from known k where k.ord = s.ord)
  and b.withheld is distinct from 'merged' and (b.dob is null or s.dob is null or b.dob = s.dob)
  and (b.name_key = s.name_key or sorted_words(b.name_key) = sorted_words(s.name_key))
  and not exists (select from sightings g where g.rid = b.rid and g.source_id = $1
   and not ($2 and g.present and not exists (select from staged x where x.booking_key = g.booking_key)))) c
 where of_row = 1 and of_booking = 1`, st.SourceID, st.Renumbered)
	return err
}
