package reconcile

import (
	"context"

	"rollcall/models"
)

// flagTakenBack tells of a staged row s, whose source told of the booking b that it is a juvenile's by its flag alone (SignFlag),
// that it says no now, and that nothing else speaks of a juvenile: no birth that is known, and no other key of the booking,
// of this source or another. A key that this source lists no more has no flag left to take back, but an age that it told
// stays told.
const flagTakenBack = `(s.sign is not distinct from 'no' and not coalesce(b.dob > georgia_clock(s.booked_at)::date - interval '17 years', extract(year from georgia_clock(s.booked_at)) - b.birth_year < 17, false)
 and exists (select from sightings g where g.rid = b.rid and g.source_id = $4 and g.booking_key = s.booking_key and g.sign in ('flag', 'no'))
 and not exists (select from sightings g where g.rid = b.rid and (g.sign = 'more' or g.sign = 'flag' and (g.source_id <> $4 or g.present and g.booking_key <> s.booking_key))))`

// laterSign is what the sighting g remembers when the row s is told under its key: what speaks of a juvenile beside the
// flag for good, a flag until it is taken back. That a flag says no is nothing to remember of whom it never called one.
const laterSign = `case when g.sign = 'more' or s.sign = 'more' then 'more' when s.sign = 'flag' or s.sign = 'no' and g.sign is not null then s.sign else g.sign end`

// turned tells of a staged row s and its booking b that the row takes the flag back just now.
const turned = `(s.sign is not distinct from 'no' and s.dob is null and s.withheld = '` + models.MaybeJuvenile + `' and b.withheld is not distinct from '` + models.Juvenile + `')`

// askAgain has those reviewed whose flag is taken back although an operator let them be public before it was set: what
// the operator knew then may be no answer to it.
func (st *staging) askAgain(ctx context.Context) error {
	return st.exec(ctx, "review flags that were taken back", `update reviews r set ended_at = $1 from staged s join known k on k.ord = s.ord and not k.older join bookings b on b.rid = k.rid
 where r.family = 'roster' and r.record = b.rid and r.decision = 'lifted' and r.ended_at is null and `+turned, st.Now)
}
