-- Who is withheld on whose account: court cases because of bookings (CLAIMS.md, rule 73).

-- name: case_causes
-- Returns the bookings because of which cases are withheld (CLAIMS.md, rule 73). They are bookings of juveniles that a
-- case names by number, or that a link better than a guess joins with it. An operator can dismiss the pair. A link
-- ends when its booking is withheld, so a case stays withheld because of its booking while it names no other. Where an
-- operator published the case in spite of the booking, the decision remembers which one it was.
with cases as materialized (
  select *
  from unnest(
    @records::bigint[], @counties::smallint[], @courts::text[], @numbers::text[], @parties::text[], @bookings::text[]
  ) c (id, county, court, number, party, booking)
),
hidden as materialized (
  select b.rid, b.id, b.county_id, b.withheld_since
  from bookings b
  where b.withheld in ('juvenile', 'maybe juvenile')
    and b.merged_into is null
    and b.county_id in (select county from cases)
),
found as (
  select c.id, h.rid, 'number' as rule
  from hidden h
  join roster_claims n on n.record = h.rid and n.number is not null
  join cases c on c.county = h.county_id and c.booking = n.number
  union all
  select c.id, l.rid, 'link'
  from cases c
  cross join lateral (select * from court_links where case_id = c.id offset 0) l
  where l.pinned or l.confidence <> 'low'
  union all
  select c.id, k.because_booking, 'known'
  from cases c
  join court_cases k on k.id = c.id and k.because_booking is not null
  where c.booking = coalesce(booking_number(k.booking_key), '')
  union all
  select c.id, d.because, 'known'
  from cases c
  join court_cases k on k.id = c.id
  join decisions d on d.family = 'courts'
    and d.record = c.id
    and d.kind = 'publish'
    and d.ended_at is null
    and d.because_family = 'roster'
  where c.booking = coalesce(booking_number(k.booking_key), '')
)
select distinct on (f.id, f.rid) f.id, f.rid, f.rule,
  greatest(
    h.withheld_since,
    (select max(v.at) from record_changes v where v.family = 'roster' and v.record = h.rid and v.field = 'withheld'),
    '0001-01-01')
from found f
join cases c on c.id = f.id
join hidden h on h.rid = f.rid
where not exists (
  select
  from court_link_decisions v
  where v.county_id = c.county
    and v.court_type = c.court
    and v.case_number = c.number collate "C"
    and v.party = c.party collate "C"
    and v.decision = 'dismissed'
    and v.family = 'roster'
    and v.person = h.id)
order by f.id, f.rid, f.rule

-- name: cases_of_bookings
-- Returns the cases that bookings may withhold or publish again (CLAIMS.md, rule 73): those that name one by number,
-- that a link joins with one, or that are withheld because of one.
select c.id
from bookings b
join roster_claims n on n.record = b.rid and n.number is not null
join court_cases c on c.county_id = b.county_id
  and c.booking_key is not null
  and booking_number(c.booking_key) = n.number
where b.rid = any(@bookings::bigint[]) and c.merged_into is null
union
select l.case_id
from court_links l
where l.rid = any(@bookings::bigint[]) and (l.pinned or l.confidence <> 'low')
union
select id from court_cases where because_booking = any(@bookings::bigint[])
union
select record
from decisions
where family = 'courts'
  and kind = 'publish'
  and ended_at is null
  and because_family = 'roster'
  and because = any(@bookings::bigint[])
