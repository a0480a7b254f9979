-- Whom matching compares. Only published records are linked. Births are written as YYYY-MM-DD, YYYY or nothing.

-- name: all_bookings
select b.rid, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from bookings b
where b.withheld is null

-- name: bookings_to_link
-- A pinned link is not up to matching.
select b.rid, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born,
  array(select v.gdc_id from link_verdicts v where v.roster_id = b.id and v.verdict = 'dismissed') as dismissed
from bookings b
where b.rid = any (@bookings) and b.withheld is null
  and not exists (select from gdc_links l where l.rid = b.rid and l.pinned)

-- name: faces_of_bookings
select b.rid as key, b.county_id as county, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from bookings b
where b.rid = any (@bookings) and b.withheld is null

-- name: faces_in_county
select b.rid as key, b.county_id as county, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from bookings b
where b.county_id = @county and b.withheld is null

-- name: defendants
select c.id as key, c.county_id as county, c.defendant as name, coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born
from court_cases c
where c.withheld is null

-- name: defendants_in_counties
select c.id as key, c.county_id as county, c.defendant as name, coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born
from court_cases c
where c.county_id = any (@counties) and c.withheld is null

-- name: cases_to_link
-- By county. An operator who asks about a pair sees withheld ones as well. Fifty charges are enough to compare.
select c.id as key, c.county_id as county, c.defendant as name, coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born,
  coalesce(c.booking_key, '') as booking,
  array(
    select c.offense where c.offense <> ''
    union all (
      select concat_ws(' ', k.statute, k.description) from case_charges k where k.case_id = c.id order by k.seq limit 50)
  ) as offenses,
  array(
    select v.person from court_verdicts v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.family = 'roster' and v.verdict = 'dismissed'
  ) as dismissed_roster,
  array(
    select v.person from court_verdicts v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.family = 'corrections' and v.verdict = 'dismissed'
  ) as dismissed_gdc
from court_cases c
where c.id = any (@cases) and (c.withheld is null or @withheld_too)
order by c.county_id, c.id

-- name: stays_to_link
-- An operator who asks about a pair sees withheld ones as well. Only a published corrections record counts.
select b.rid, b.id, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born,
  b.charges || array(
    select concat_ws(' ', k.statute, k.description) from booking_charges k
    where k.rid = b.rid and k.statute is not null
    order by k.seq limit 50
  ) as charges,
  array(select c.number from roster_claims c where c.record = b.rid and c.number is not null) as numbers,
  o.gdc_id,
  case when o.gdc_id is not null then coalesce(to_char(o.dob, 'YYYY-MM-DD'), o.birth_year::text, '') end as gdc_born,
  case when o.gdc_id is not null then l.confidence end as gdc_confidence
from bookings b
left join gdc_links l on l.rid = b.rid
left join corrections_records o on o.cid = l.cid and o.withheld is null
where b.rid = any (@bookings) and (b.withheld is null or @withheld_too)
