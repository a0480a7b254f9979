-- Links of a system that is taken over.

-- name: stage_imported
-- Makes the table of the links of the other system.
create temp table if not exists imported_links (
  roster_id text collate "C",
  gdc_id text collate "C",
  confidence text,
  mugshot_match boolean,
  line bigint
) on commit delete rows

-- name: insert_imported
-- Stores these links as confirmed ones, except for pairs that an operator dismissed. The other system gave no
-- probability, so this statement sets what its confidence is worth.
insert into gdc_links as known (rid, cid, confidence, probability, reasons, mugshot_match, origin, pinned, linked_at)
select distinct on (b.rid) b.rid, c.cid, l.confidence,
  case l.confidence when 'high' then 0.99 when 'medium' then 0.9 else 0.5 end, '{imported}', l.mugshot_match,
  'imported', true, @now
from imported_links l
join known_bookings b on b.id = l.roster_id
join known_corrections c on c.gdc_id = l.gdc_id
where not exists (
  select
  from link_decisions v
  where v.roster_id = b.id and v.gdc_id = c.gdc_id and v.decision = 'dismissed')
order by b.rid, l.line
on conflict (rid) do update
set cid = excluded.cid, confidence = excluded.confidence, probability = excluded.probability,
    reasons = excluded.reasons, mugshot_match = excluded.mugshot_match, origin = 'imported', pinned = true,
    linked_at = excluded.linked_at
where not known.pinned

-- name: imported_without_ends
-- Returns the lines whose booking or corrections record is unknown, and which of the two.
select l.line, case when b.rid is null then 'roster_id' else 'gdc_id' end
  from imported_links l
  left join known_bookings b on b.id = l.roster_id
  left join known_corrections c on c.gdc_id = l.gdc_id
 where b.rid is null or c.cid is null
 order by l.line
