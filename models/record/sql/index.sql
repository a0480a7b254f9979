-- Rows of the list index (models.IndexRow): key, last change, order, tie, words, three facets, whether it is gone,
-- generation. The facets' numbers are those of facet.go, which a test compares (docs/decisions/0003-list-index.md).

-- name: index_roster
-- Returns all published bookings in the order of the list.
select rid, (extract(epoch from last_change) * 1000000)::bigint, (extract(epoch from booked_at) * 1000000)::bigint,
  id, name_key, county_id, array_position('{booked,released}', status)::smallint, 0::smallint, false, gen
from published_bookings
order by booked_at desc, id desc

-- name: index_courts
-- Returns all published cases in the order of the list.
select id, (extract(epoch from last_change) * 1000000)::bigint, (filed_date - date '1970-01-01')::bigint,
  case_number || chr(1) || lpad(county_id::text, 3, '0') || lpad(id::text, 19, '0'), name_key,
  county_id, array_position('{state,superior,magistrate,warrants}', court_type)::smallint,
  array_position('{pending,closed,warrant,unknown}', status)::smallint, false, gen
from published_cases
order by filed_date desc, case_number, county_id, id

-- name: index_corrections
-- Returns all published corrections records in the order of the list.
select cid, (extract(epoch from last_change) * 1000000)::bigint, 0::bigint, name_key || chr(1) || gdc_id, name_key,
  array_position('{offender,parolee,sex_offender}', category)::smallint,
  array_position('{incarcerated,paroled,released,unknown}', status)::smallint, 0::smallint, false, gen
from published_corrections
order by name_key, gdc_id

-- name: index_changes_roster
-- Returns the bookings that changed after a generation. Of records that are withheld, merged or deleted it says only
-- that they are gone.
select rid, (extract(epoch from last_change) * 1000000)::bigint, (extract(epoch from booked_at) * 1000000)::bigint,
  id, name_key, county_id, array_position('{booked,released}', status)::smallint, 0::smallint, false, gen
from published_bookings
where gen > @since
union all
select record, 0, 0, '', '', 0::smallint, 0::smallint, 0::smallint, true, gen
from dropped_records
where gen > @since and family = 'roster'

-- name: index_changes_courts
-- Returns the cases that changed after a generation, as above.
select id, (extract(epoch from last_change) * 1000000)::bigint, (filed_date - date '1970-01-01')::bigint,
  case_number || chr(1) || lpad(county_id::text, 3, '0') || lpad(id::text, 19, '0'), name_key,
  county_id, array_position('{state,superior,magistrate,warrants}', court_type)::smallint,
  array_position('{pending,closed,warrant,unknown}', status)::smallint, false, gen
from published_cases
where gen > @since
union all
select record, 0, 0, '', '', 0::smallint, 0::smallint, 0::smallint, true, gen
from dropped_records
where gen > @since and family = 'courts'

-- name: index_changes_corrections
-- Returns the corrections records that changed after a generation, as above.
select cid, (extract(epoch from last_change) * 1000000)::bigint, 0::bigint, name_key || chr(1) || gdc_id, name_key,
  array_position('{offender,parolee,sex_offender}', category)::smallint,
  array_position('{incarcerated,paroled,released,unknown}', status)::smallint, 0::smallint, false, gen
from published_corrections
where gen > @since
union all
select record, 0, 0, '', '', 0::smallint, 0::smallint, 0::smallint, true, gen
from dropped_records
where gen > @since and family = 'corrections'
