-- Causes: records because of which bookings of the same person are withheld. A record that is itself withheld because
-- of another booking is no cause, so the search ends.

-- name: affected_bookings
-- Returns the bookings that this transaction may withhold or publish. They are bookings near a withheld one in the same
-- county (CLAIMS.md, rule 76), bookings of the same person by a source's number (rule 75), bookings whose number a
-- court names with the birth of somebody under 17 (rule 74), and bookings withheld because of one at hand, or published
-- in spite of it: a decision ends with its ground. At hand are
-- those that it wrote (gen) and those that it resolved (records): a claim may have got the number of a booking or
-- person while no published fact changed. Each branch begins with the few.
with at_hand as materialized (
  select rid from bookings where gen = @gen
  union
  select unnest(@records::bigint[])
),
hidden as materialized (
  select h.rid, h.county_id, h.booked_at, h.name_key, h.rid in (select rid from at_hand) as at_hand
  from bookings h
  where h.withheld in ('juvenile', 'maybe juvenile')
    and h.because_booking is null
    and h.merged_into is null
    and h.county_id = any(@counties::smallint[])
)
select b.rid
from hidden h
join bookings b on b.county_id = h.county_id
  and b.booked_at between h.booked_at - interval '3 days' and h.booked_at + interval '3 days'
  and b.rid <> h.rid
where (h.at_hand or b.rid in (select rid from at_hand))
  and b.dob is null
  and b.birth_year is null
  and string_to_array(b.name_key, ' ') && string_to_array(h.name_key, ' ')
union
select b.rid
from hidden h
cross join lateral (select * from roster_claims where record = h.rid offset 0) g
join roster_claims x on x.source_id = g.source_id and x.person_key = g.person_key
join bookings b on b.rid = x.record and b.rid <> h.rid
where (h.at_hand or b.rid in (select rid from at_hand)) and b.dob is null
union
select b.rid
from at_hand
join bookings b using (rid)
cross join lateral (select * from roster_claims where record = b.rid and number is not null offset 0) x
cross join lateral (
  select *
  from court_cases
  where county_id = b.county_id
    and booking_key is not null
    and booking_number(booking_key) = x.number
    and merged_into is null
  offset 0
) c
where minor_before(c.filed_date, c.filed_inferred, c.dob, c.birth_year)
union
select b.rid
from decisions d
join bookings b on b.rid = d.record
where d.family = 'roster'
  and d.kind = 'publish'
  and d.ended_at is null
  and (
    d.because_family = 'courts' and d.because = any(@cases::bigint[])
    or d.because_family = 'roster' and d.because in (select rid from at_hand)
  )
union
select b.rid
from court_cases c
join roster_claims x on x.number = booking_number(c.booking_key)
join bookings b on b.rid = x.record and b.county_id = c.county_id
where c.id = any(@cases::bigint[]) and minor_before(c.filed_date, c.filed_inferred, c.dob, c.birth_year)
union
select b.rid
from at_hand
join bookings b on b.because_booking = at_hand.rid
union
select b.rid
from at_hand
join bookings b using (rid)
where b.because_booking is not null or b.because_case is not null
union
select b.rid
from bookings b
where b.because_case = any(@cases::bigint[])

-- name: causes_of
-- Returns the records because of which bookings may have to be withheld, with the rule: an alike name (CLAIMS.md,
-- rule 76), a person number (rule 75) or a booking number (rule 74). Go decides whether the two can be one person.
with open as materialized (
  select b.*, georgia_clock(b.booked_at)::date as day
  from bookings b
  where b.rid = any(@records::bigint[]) and b.merged_into is null
)
select o.rid, h.rid, 0::bigint, 'name', h.name, h.dob, coalesce(h.birth_year, 0),
  greatest(h.withheld_since, '0001-01-01')
from open o
join bookings h on h.county_id = o.county_id
  and h.rid <> o.rid
  and h.withheld in ('juvenile', 'maybe juvenile')
  and h.because_booking is null
  and h.merged_into is null
  and h.booked_at between o.booked_at - interval '3 days' and o.booked_at + interval '3 days'
  and abs(georgia_clock(h.booked_at)::date - o.day) <= 1
  and string_to_array(o.name_key, ' ') && string_to_array(h.name_key, ' ')
where o.dob is null
  and o.birth_year is null
  and (
    h.because_case is not null
    or exists (
      select
      from roster_claims g
      where g.record = h.rid
        and not exists (select from roster_claims x where x.record = o.rid and x.source_id = g.source_id))
    or not exists (select from roster_claims g where g.record = h.rid))
union all
select o.rid, h.rid, 0, 'person', h.name, h.dob, coalesce(h.birth_year, 0),
  greatest(h.withheld_since, '0001-01-01')
from open o
cross join lateral (select * from roster_claims where record = o.rid offset 0) x
join roster_claims g on g.source_id = x.source_id and g.person_key = x.person_key
join bookings h on h.rid = g.record
  and h.county_id = o.county_id
  and h.rid <> o.rid
  and h.withheld in ('juvenile', 'maybe juvenile')
  and h.because_booking is null
  and h.merged_into is null
where o.dob is null
  and case
    when h.dob is not null or h.birth_year is not null then minor_on(o.day, h.dob, h.birth_year)
    else abs(o.day - georgia_clock(h.booked_at)::date) < 3 * 365
  end
union all
select o.rid, 0, c.id, 'number', c.defendant, c.dob, coalesce(c.birth_year, 0),
  '0001-01-01'::timestamptz
from open o
cross join lateral (select * from roster_claims where record = o.rid and number is not null offset 0) x
join court_cases c on c.county_id = o.county_id
  and c.booking_key is not null
  and booking_number(c.booking_key) = x.number
  and c.merged_into is null
  and minor_on(o.day, c.dob, c.birth_year)
where not exists (
    select
    from court_link_decisions v
    where (c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)
      and v.decision = 'dismissed'
      and v.family = 'roster'
      and v.person = o.id)
order by 1, 2, 3

-- name: withheld_bookings
-- Returns the bookings that this transaction wrote and that are withheld as juveniles'. Their cases follow them
-- (CLAIMS.md, rule 73).
select rid
from bookings
where gen = @gen and withheld in ('juvenile', 'maybe juvenile')

-- name: counties_at_hand
-- Returns the counties of what this transaction wrote or resolved. Causes are looked for in them
-- (CLAIMS.md, rules 74 to 76).
select county_id from bookings where gen = @gen
union
select county_id from bookings where rid = any(@records::bigint[])
union
select county_id from court_cases where id = any(@cases::bigint[])
