-- Links as matching found them. An operator's decision made meanwhile is stronger, and withheld records have no links.

-- name: make_found
create temp table found (
  rid bigint,
  gdc_id text collate "C",
  confidence text,
  probability real,
  reasons text[]
) on commit drop

-- name: make_staged
create temp table staged on commit drop as
select f.rid, c.cid, f.confidence, f.probability, f.reasons
from found f
join published_bookings b on b.rid = f.rid
join published_corrections c on c.gdc_id = f.gdc_id
where not exists (select from link_verdicts v where v.roster_id = b.id and v.gdc_id = f.gdc_id and v.verdict = 'dismissed')

-- name: remove_links
-- Of the bookings that were looked at, those that matching found no record for.
delete from gdc_links l
where l.rid = any (@considered) and not l.pinned
  and not exists (select from staged s where s.rid = l.rid)

-- name: write_links
-- Only links that differ from those stored. What faces said of the same pair stays. The join sees the links as they were
-- before this statement: a row without one there is new, or leads to another record.
with written as (
  insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, linked_at)
  select rid, cid, confidence, probability, reasons, 'matched', @now from staged order by rid
  on conflict (rid) do update
  set cid = excluded.cid, confidence = excluded.confidence, probability = excluded.probability, reasons = excluded.reasons,
      mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'matched', linked_at = excluded.linked_at
  where not l.pinned
    and (l.cid, l.confidence, l.probability, l.reasons, l.origin)
        is distinct from (excluded.cid, excluded.confidence, excluded.probability, excluded.reasons, 'matched')
  returning rid, cid
)
select count(*) filter (where l.cid is null), count(l.cid)
from written w
left join gdc_links l on l.rid = w.rid and l.cid = w.cid

-- name: pin_confirmed
-- The confirmed pairs of which both ends are there, also those that came back under their ids.
insert into gdc_links as l (rid, cid, confidence, probability, reasons, origin, pinned, linked_at)
select b.rid, c.cid, 'high', 1, '{confirmed by an operator}', 'operator', true, @now
from link_verdicts v
join known_bookings b on b.id = v.roster_id
join known_corrections c on c.gdc_id = v.gdc_id
where v.verdict = 'confirmed'
on conflict (rid) do update
set cid = excluded.cid, confidence = 'high', probability = 1, reasons = excluded.reasons,
    mugshot_match = l.mugshot_match and l.cid = excluded.cid, origin = 'operator', pinned = true, linked_at = excluded.linked_at
where l.origin <> 'operator' or l.cid <> excluded.cid
