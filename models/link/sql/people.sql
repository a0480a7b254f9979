-- The people whom matching compares. Only published records are linked. Births are written as YYYY-MM-DD, YYYY or
-- nothing.

-- name: all_bookings
-- Returns all published bookings.
select b.rid, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from published_bookings b

-- name: bookings_to_link
-- Returns the bookings that matching is to link, with the records that were dismissed for them. A pinned link is not
-- reconsidered.
select b.rid, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born,
  array(select v.gdc_id from link_decisions v where v.roster_id = b.id and v.decision = 'dismissed') as dismissed
from published_bookings b
where b.rid = any (@bookings)
  and not exists (select from gdc_links l where l.rid = b.rid and l.pinned)

-- name: faces_of_bookings
-- Returns some published bookings with their counties.
select b.rid as key, b.county_id as county, b.name,
  coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from published_bookings b
where b.rid = any (@bookings)

-- name: faces_in_county
-- Returns the published bookings of a county.
select b.rid as key, b.county_id as county, b.name,
  coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born
from published_bookings b
where b.county_id = @county

-- name: defendants
-- Returns the defendants of all published cases.
select c.id as key, c.county_id as county, c.defendant as name,
  coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born
from published_cases c

-- name: defendants_in_counties
-- Returns the defendants of the published cases of some counties.
select c.id as key, c.county_id as county, c.defendant as name,
  coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born
from published_cases c
where c.county_id = any (@counties)

-- name: cases_to_link
-- Returns cases with what matching compares, by county. An operator who asks about a pair gets withheld cases too.
select key, county, name, born, booking, offenses, dismissed_roster, dismissed_gdc
from cases_to_link
where key = any (@cases) and (published or @withheld_too)
order by county, key

-- name: stays_to_link
-- Returns bookings with what matching compares with cases. An operator who asks about a pair gets withheld bookings
-- too.
select rid, id, name, born, charges, numbers, gdc_id, gdc_born, gdc_confidence
from stays_to_link
where rid = any (@bookings) and (published or @withheld_too)
