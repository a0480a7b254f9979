-- Links of court cases that matching found (CLAIMS.md, rule 83). A decision of an operator made meanwhile is stronger,
-- and withheld records have no links.

-- name: make_found_of_cases
-- Makes the table of the links that matching found.
create temp table found_of_cases (
  case_id bigint,
  rid bigint,
  gdc_id text collate "C",
  confidence text,
  probability real,
  reasons text[]
) on commit drop

-- name: make_staged_of_cases
-- Makes the table of the links that may be stored. A case whose corrections record is pinned takes no other one.
create temp table staged_of_cases on commit drop as
select f.case_id, f.rid, o.cid, f.confidence, f.probability, f.reasons
from found_of_cases f
join published_cases c on c.id = f.case_id
left join published_bookings b on b.rid = f.rid
left join published_corrections o on o.gdc_id = f.gdc_id
where num_nonnulls(b.rid, o.cid) = 1
  and not exists (
    select from court_link_decisions v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.decision = 'dismissed' and (v.family, v.person) in (('roster', b.id), ('corrections', o.gdc_id)))
  and not (
    o.cid is not null
    and exists (select from court_links l where l.case_id = f.case_id and l.cid is not null and l.pinned))

-- name: remove_court_links
-- Deletes the links of the considered cases that matching did not find as they are stored. The second count is of
-- links that it found with other values, which are written again.
with gone as (
  delete from court_links l
  where l.case_id = any (@considered)
    and not l.pinned
    and not exists (
      select
      from staged_of_cases s
      where s.case_id = l.case_id
        and (s.rid, s.cid, s.confidence, s.probability, s.reasons)
          is not distinct from (l.rid, l.cid, l.confidence, l.probability, l.reasons))
  returning case_id, rid, cid
)
select count(*),
  count(*) filter (
    where exists (
      select
      from staged_of_cases s
      where s.case_id = g.case_id and (s.rid, s.cid) is not distinct from (g.rid, g.cid)))
from gone g

-- name: write_court_links
-- Stores the links that are not stored yet.
insert into court_links (case_id, rid, cid, confidence, probability, reasons, origin, linked_at)
select case_id, rid, cid, confidence, probability, reasons, 'matched', @now
from staged_of_cases
order by case_id
on conflict do nothing

-- name: forget_replaced_record
-- Deletes links to another corrections record than the confirmed one, of one case or all. A case has one corrections
-- record.
delete from court_links l
using court_link_decisions v, known_cases c, known_corrections o
where v.decision = 'confirmed' and v.family = 'corrections' and c.id = l.case_id
  and (c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)
  and o.gdc_id = v.person and l.cid is not null and l.cid <> o.cid and (@case::bigint is null or l.case_id = @case)

-- name: pin_confirmed_bookings
-- Stores and pins the links to bookings that an operator confirmed, of one case or all.
insert into court_links as l (case_id, rid, confidence, probability, reasons, origin, pinned, linked_at)
select c.id, b.rid, 'high', 1, '{confirmed by an operator}', 'operator', true, @now
from court_link_decisions v
join known_cases c
  on (c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)
join known_bookings b on b.id = v.person
where v.decision = 'confirmed' and v.family = 'roster' and (@case::bigint is null or c.id = @case)
on conflict (case_id, rid) do update
set confidence = 'high', probability = 1, reasons = excluded.reasons, origin = 'operator', pinned = true,
    linked_at = excluded.linked_at
where not l.pinned

-- name: pin_confirmed_records
-- Stores and pins the links to corrections records that an operator confirmed, of one case or all.
insert into court_links as l (case_id, cid, confidence, probability, reasons, origin, pinned, linked_at)
select c.id, o.cid, 'high', 1, '{confirmed by an operator}', 'operator', true, @now
from court_link_decisions v
join known_cases c
  on (c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)
join known_corrections o on o.gdc_id = v.person
where v.decision = 'confirmed' and v.family = 'corrections' and (@case::bigint is null or c.id = @case)
on conflict (case_id) where cid is not null do update
set confidence = 'high', probability = 1, reasons = excluded.reasons, origin = 'operator', pinned = true,
    linked_at = excluded.linked_at
where not l.pinned
