-- Links of bookings that matching found (CLAIMS.md, rule 83). A decision of an operator made meanwhile is stronger,
-- and withheld records have no links.

-- name: make_found
-- Makes the table of the links that matching found.
create temp table found (
  rid bigint,
  gdc_id text collate "C",
  confidence text,
  probability real,
  reasons text[]
) on commit drop

-- name: make_staged
-- Makes the table of the links that may be stored: both records are published, and no operator dismissed the pair.
create temp table staged on commit drop as
select f.rid, c.cid, f.confidence, f.probability, f.reasons
from found f
join published_bookings b on b.rid = f.rid
join published_corrections c on c.gdc_id = f.gdc_id
where not exists (
  select
  from link_decisions v
  where v.roster_id = b.id and v.gdc_id = f.gdc_id and v.decision = 'dismissed')

-- name: remove_links
-- Deletes the links of the considered bookings for which matching found no record.
delete from gdc_links l
where l.rid = any (@considered) and not l.pinned
  and not exists (select from staged s where s.rid = l.rid)

-- name: write_links
-- Stores links that differ from those stored, and counts the new ones and the changed ones. The result of comparing
-- faces stays with the same pair. The join sees the links as they were before: a row without one there is new, or
-- leads to another record.
with written as (
  insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, linked_at)
  select rid, cid, confidence, probability, reasons, 'matched', @now
  from staged
  order by rid
  on conflict (rid) do update
  set cid = excluded.cid, confidence = excluded.confidence, probability = excluded.probability,
      reasons = excluded.reasons, mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'matched',
      linked_at = excluded.linked_at
  where not l.pinned
    and (l.cid, l.confidence, l.probability, l.reasons, l.origin)
      is distinct from (excluded.cid, excluded.confidence, excluded.probability, excluded.reasons, 'matched')
  returning rid, cid
)
select count(*) filter (where l.cid is null), count(l.cid)
from written w
left join gdc_links l on l.rid = w.rid and l.cid = w.cid

-- name: pin_confirmed
-- Stores and pins the links that an operator confirmed, where both records are known: that of one booking, or all. They
-- may have come back under their ids.
insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, pinned, linked_at)
select b.rid, c.cid, 'high', 1, '{confirmed by an operator}', 'operator', true, @now
from link_decisions v
join known_bookings b on b.id = v.roster_id
join known_corrections c on c.gdc_id = v.gdc_id
where v.decision = 'confirmed' and (@booking::text is null or v.roster_id = @booking)
on conflict (rid) do update
set cid = excluded.cid, confidence = 'high', probability = 1, reasons = excluded.reasons,
    mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'operator', pinned = true,
    linked_at = excluded.linked_at
where l.origin <> 'operator' or l.cid <> excluded.cid
