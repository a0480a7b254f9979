-- Bookings that may be one person's, beside what links say (person.Gather).

-- name: bookings_of_one_number
-- Returns the published bookings for which a jail uses the number of the person that it uses for some others.
select distinct x.record as one, y.record as other
from jail_numbers x
join jail_numbers y on y.source_id = x.source_id and y.person_key = x.person_key and y.record <> x.record
join published_bookings b on b.rid = y.record
where x.record = any (@rids::bigint[])
order by one, other
limit @most

-- name: bookings_born_on
-- Returns the published bookings of each of some birth dates, the newest ones.
select b.rid
from unnest(@days::date[]) d (day)
cross join lateral (
  select rid
  from published_bookings
  where dob = d.day
  order by booked_at desc
  limit @each
) b

-- name: kept_apart
-- Returns which records an operator keeps apart from some others.
select a.family, a.record, a.other_family, a.other
from unnest(@families::text[], @records::bigint[]) k (family, record)
join people_apart a on a.family = k.family and a.record = k.record
