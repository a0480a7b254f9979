package reconcile

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

// A booking of which nobody tells the birth may be that of a juvenile whom another source, or a court, knows
// as one. Two bookings are made one only where that is certain; to publish a juvenile it is enough that it was
// not. So for withholding the doubt falls the other way: an alike name in the same county, booked within a day of
// a withheld booking, is withheld too, as MaybeJuvenile, until an operator looked at it or its ground is gone,
// but where one source has listed both at a time; and so is a booking whose number a court names with the birth of somebody under 17. bookings.sealed_by and
// sealed_case are that ground. A booking that is withheld on such account is no ground for a third.

// someone is who a record is about, with whatever is known of the birth.
type someone struct {
	Name string
	DOB  *models.Date
	Year *int16 // set whenever DOB is
}

// mayBe tells whether the person of a record that is public may be the one of a hidden record: the names are
// alike, and the births do not clearly speak against it. Whoever states a birth of which the hidden record says
// nothing is believed.
func (open someone) mayBe(hidden someone) bool {
	switch {
	case open.DOB != nil && hidden.DOB != nil:
		if open.DOB.Conflicts(*hidden.DOB) || !slip(open.DOB.Year, hidden.DOB.Year) {
			return false
		}
	case open.Year != nil:
		if hidden.Year == nil || *open.Year != *hidden.Year {
			return false
		}
	}
	if match.Fold(open.Name) == match.Fold(hidden.Name) {
		return true
	}
	a, b := match.Parse(open.Name), match.Parse(hidden.Name)
	return match.Alike(&a, &b)
}

// slip tells whether one year of birth can be the other, mistyped: one digit differs, or they are next to each other.
func slip(a, b int) bool {
	if a-b == 1 || b-a == 1 {
		return true
	}
	differ := 0
	for ; a > 0 || b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			differ++
		}
	}
	return differ <= 1
}

// ground is why a booking is withheld: another booking or a court case. Both nil: nothing.
type ground struct{ Booking, Case *int64 }

// grounds reads rows of key, booking, case and two people (hidden and open), and gives the first ground of
// each key that holds; a key without one gets the empty ground.
func grounds(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[int64]ground, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("look for juveniles of alike names: %w", err)
	}
	defer rows.Close()
	found := map[int64]ground{}
	for rows.Next() {
		var key int64
		var g ground
		var hiddenName *string
		var hidden, open someone
		if err := rows.Scan(&key, &g.Booking, &g.Case, &hiddenName, &hidden.DOB, &hidden.Year, &open.Name, &open.DOB, &open.Year); err != nil {
			return nil, fmt.Errorf("look for juveniles of alike names: %w", err)
		}
		before := found[key]
		if before == (ground{}) && hiddenName != nil {
			if hidden.Name = *hiddenName; open.mayBe(hidden) {
				before = g
			}
		}
		found[key] = before
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for juveniles of alike names: %w", err)
	}
	return found, nil
}

// isGround tells of a booking h that it is withheld for a reason of its own.
const isGround = `h.withheld in ` + juveniles + ` and h.sealed_by is null`

// akin tells of a hidden booking h and an open one b that their names share a word, without which nobody is asked
// whether they are alike.
const akin = `string_to_array(b.name_key, ' ') && string_to_array(h.name_key, ' ')`

// heard tells of a booking s of this snapshot that a booking that is there already may be of the same person, and nobody knew
// them apart: its source has told of others before, or more than it may tell of its people: another roster of the county.
const heard = `(exists (select from sources where id = $1 and last_applied is not null) or s.county_id in (select c.county_id from source_counties c join sources s on s.id = c.source_id and s.kind = 'roster' group by 1 having count(*) > 1))`

// foreign tells of a hidden booking h that somebody else than the sources in place of %[1]s may know why.
var foreign = `(h.sealed_case is not null or not exists (select from ` + db.SightingsOf("h.rid") + ` g where g.source_id in (%[1]s)) or exists (select from ` + db.SightingsOf("h.rid") + ` g where g.source_id not in (%[1]s)))`

// listedBoth tells that one source listed a hidden booking h and another one b at a time: it knows the two apart. One that
// comes when the other is gone may be the same person under a new number. Of a complete snapshot that is just being
// applied, source and instant stand in place of %[1]s and %[2]s: whoever is present is in it.
var listedBoth = `exists (select from ` + listedOf("h") + ` x join ` + listedOf("b") + ` y on y.source_id = x.source_id and x.first <= y.last and y.first <= x.last)`

// listedOf are the times, first and last, at which sources are known to have listed a booking.
func listedOf(b string) string {
	return `(select g.source_id, case when ` + b + `.source_id = g.source_id and not ` + b + `.imported then ` + b + `.first_seen else g.snapshot_at end as first,
  greatest(` + db.LastSeenSQL + `, case when g.source_id = %[1]s and g.present and g.misses = 0 then %[2]s end) as last from ` + db.SightingsOf(b+".rid") + ` g join sources src on src.id = g.source_id)`
}

// numberedAlike tells that on a day, %[1]s, on which another booking began, the person of a hidden booking h was no adult yet: by
// the birth that is known, else within the years in which somebody under 17 may go on to be. A source gave both to one person.
const numberedAlike = `case when h.dob is not null or h.birth_year is not null then minor_on(%[1]s, h.dob, h.birth_year) else abs(%[1]s - georgia_clock(h.booked_at)::date) < 3 * 365 end`

// believedCase tells of a court case c that no operator found its defendant to be of age.
const believedCase = `not exists (select from decisions r where r.family = 'courts' and r.record = c.id and r.kind = 'publish' and r.ended_at is null)`

// lifted tells that an operator lets the booking with that key be public.
const lifted = `exists (select from reviews r where r.family = 'roster' and r.record = %s and r.decision = 'lifted' and r.ended_at is null)`

// sealAlike withholds those staged bookings that may be of a withheld juvenile. Whose own row tells the age of
// an adult, and whom an operator found to be one, is not asked about. One whose flag is taken back stays a juvenile while
// somebody else speaks of one.
func (st *staging) sealAlike(ctx context.Context) error {
	if st.work.fresh == 0 && st.work.told == 0 {
		return nil
	}
	found, err := grounds(ctx, st.tx, `with due as materialized (
  select s.ord, s.county_id, s.booking_key, s.person_key, georgia_clock(s.booked_at)::date as day, s.booked_at, k.rid, b.id, s.name, coalesce(s.dob, b.dob) as dob, coalesce(s.birth_year, b.birth_year) as birth_year
  from staged s left join known k on k.ord = s.ord left join bookings b on b.rid = k.rid
  where (s.withheld is null or `+turned+`) and coalesce(s.age, 0) < 18 and (k.ord is null or not k.older and (not k.same or k.away)) and not `+fmt.Sprintf(lifted, "k.rid")+`),
 hidden as materialized (select h.*, f.foreign from bookings h cross join lateral (select `+fmt.Sprintf(foreign, "$1")+` as foreign) f where `+isGround+` and h.county_id in (select county_id from due)
  and h.booked_at between (select min(booked_at) from due) - interval '3 days' and (select max(booked_at) from due) + interval '3 days' and (f.foreign or not exists (select from known k where k.rid = h.rid))),
 young as materialized (select c.*, booking_number(c.booking_key) as number from court_cases c where c.booking_key is not null and (c.dob is not null or c.birth_year is not null)
  and c.county_id in (select county_id from due) and minor_on((select min(day) from due), c.dob, c.birth_year) and `+believedCase+`)
 select d.ord, h.rid, null::bigint, h.name, h.dob, h.birth_year, d.name, d.dob, d.birth_year from due d join hidden h on h.county_id = d.county_id
  and georgia_clock(h.booked_at)::date between d.day - 1 and d.day + 1 and h.rid is distinct from d.rid
  left join bookings b on b.rid = d.rid where h.foreign or b.rid is null or not `+fmt.Sprintf(listedBoth, "null", "null::timestamptz")+`
 union all
 select d.ord, h.rid, null, h.name, h.dob, h.birth_year, d.name, d.dob, d.birth_year from due d join sightings g on g.source_id = $1 and g.person_key = d.person_key
  join bookings h on h.rid = g.rid and h.county_id = d.county_id and `+isGround+` and h.rid is distinct from d.rid where d.dob is null and `+fmt.Sprintf(numberedAlike, "d.day")+`
 union all
 select d.ord, null, c.id, c.defendant, c.dob, c.birth_year, d.name, d.dob, d.birth_year from young c
  join (select d.*, booking_number(d.booking_key) as number from due d union select d.*, booking_number(part) from due d cross join unnest(string_to_array(d.booking_key, '|')) part where length(btrim(part)) >= 4
   union select d.*, booking_number(part) from due d cross join lateral `+db.SightingsOf("d.rid")+` g
    cross join unnest(array_append(string_to_array(g.booking_key, '|'), g.booking_key)) part where d.rid is not null and (part = g.booking_key or length(btrim(part)) >= 4)) d -- whatever number it had, and with whomever
  on d.county_id = c.county_id and d.number = c.number and minor_on(d.day, c.dob, c.birth_year)
  left join bookings b on b.rid = d.rid where not `+apart+`
 order by 1, 2, 3`, st.SourceID)
	if err != nil {
		return err
	}
	var ords []int64
	var bookings, cases []*int64
	for ord, g := range found {
		if g != (ground{}) {
			ords, bookings, cases = append(ords, ord), append(bookings, g.Booking), append(cases, g.Case)
		}
	}
	if len(ords) == 0 {
		return nil
	}
	return st.exec(ctx, "withhold bookings of juveniles", `update staged s set withheld = case when s.withheld is null then $1 else $5 end,
  sealed_by = case when s.withheld is null then u.rid end, sealed_case = case when s.withheld is null then u.id end
 from unnest($2::bigint[], $3::bigint[], $4::bigint[]) u (ord, rid, id) where u.ord = s.ord`, models.MaybeJuvenile, ords, bookings, cases, models.Juvenile)
}
