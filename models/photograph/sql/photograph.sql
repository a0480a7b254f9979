-- Photographs: what is to be brought, what is kept, and what was compared (docs/decisions/0027-photographs.md).

-- name: sources
-- Returns the sources of which photographs are known or kept.
select source_id from photographs
union
select source_id from claim_photographs
order by 1

-- name: sources_to_note
-- Returns the sources with a finished run after the one that was noted last.
select s.id
from sources s
where s.parent is null
  and s.kind in ('roster', 'corrections')
  and exists (
    select
    from runs r
    where r.source_id = s.id
      and r.state <> 'running'
      and r.id > coalesce((select run_id from photograph_runs p where p.source_id = s.id), 0))
order by s.id

-- name: runs_to_note
-- Returns the finished runs of a source after the one that was noted last, with the runs that have their documents: a
-- run that read documents again has none of its own.
select r.id, coalesce(r.replay_of, r.id) as documents
from runs r
where r.source_id = @source
  and r.part_of is null
  and r.state <> 'running'
  and r.id > coalesce((select run_id from photograph_runs where source_id = @source), 0)
order by r.id

-- name: due_sources
-- Returns the sources with photographs that are due.
select distinct source_id from photographs where due_at <= @now order by 1

-- name: mark_placeholder
-- Refuses a picture that many people have, wherever it is named. What was asked for is asked for again: the real one
-- may come to the same place.
with marked as (
  update photograph_files set placeholder = true where hash = @hash
)
update photographs
set state = 'refused', reason = 'placeholder', hash = null,
  due_at = case when address is not null then @again::timestamptz end
where hash = @hash

-- name: put_file
-- Stores that a picture lies in the vault. Pages date a photograph by taken_at, so it stays while somebody has the
-- picture. It is renewed for one that nobody has: unused_files leaves young ones alone.
insert into photograph_files as f (hash, width, height, small_width, small_height, taken_at)
values (@hash, @width, @height, @small_width, @small_height, @now)
on conflict (hash) do update
set taken_at = case
  when exists (select from claim_photographs c where c.hash = f.hash) then f.taken_at
  else excluded.taken_at
end
returning *

-- name: lost_references
-- Asks again for a picture that is missing from the vault. One that came in a document comes again with the next row
-- (stale_references).
update photographs
set state = 'wanted', reason = null, hash = null, etag = '', modified = '', tries = 0, due_at = @again
where hash = @hash and address is not null

-- name: unused_files
-- Returns pictures that no claim has and that were brought before an instant: one is stored before its claim has it.
select f.hash
from photograph_files f
where f.taken_at < @before
  and not f.placeholder
  and not exists (select from claim_photographs c where c.hash = f.hash)

-- name: forget_file
-- Deletes the row of a picture that no claim has, and reports by a row whether it did.
delete from photograph_files f
where f.hash = @hash
  and f.taken_at < @before
  and not f.placeholder
  and not exists (select from claim_photographs c where c.hash = f.hash)

-- name: stale_references
-- Deletes references whose photograph is gone although they say that it is kept: their record was withheld, its person
-- asked for it, or its time is over. The next row under the key asks for it anew, if it may be taken then.
delete from photographs p
where p.state = 'kept'
  and not exists (
    select
    from claim_photographs c
    where c.family = p.family and c.source_id = p.source_id and c.key = p.key and c.stay = 0 and c.hash = p.hash)

-- name: counts
-- Counts photographs by source, state and reason, for operators.
select source_id, family, state, coalesce(reason, '') as reason, count(*) as n
from photographs
group by 1, 2, 3, 4
order by 1, 2, 3, 4

-- name: pairs_to_check
-- Returns pairs of pictures that a model did not compare yet, those after one pair.
select p.rid, p.cid, p.booking, p.corrections
from comparable_photographs p
where (p.rid, p.cid, p.booking, p.corrections) > (@rid, @cid, @booking, @corrections)
  and not exists (
    select
    from photograph_checks k
    where k.rid = p.rid and k.cid = p.cid and k.booking = p.booking and k.corrections = p.corrections
      and k.model = @model)
order by p.rid, p.cid, p.booking, p.corrections
limit @n

-- name: end_checks
-- Deletes the comparisons of pictures that are not shown any more, or of pairs that are not linked any more.
delete from photograph_checks k
where not exists (
  select
  from comparable_photographs p
  where p.rid = k.rid and p.cid = k.cid and p.booking = k.booking and p.corrections = k.corrections)

-- name: unsettled_matches
-- Returns the links whose result is not what the comparisons say: true where one found a match. What a takeover brought
-- stays. Each branch begins with the few links that it can be about.
select l.rid
from photograph_checks k
join gdc_links l on l.rid = k.rid and l.cid = k.cid
where k.state = 'match' and l.origin <> 'imported' and not l.mugshot_match
union
select l.rid
from gdc_links l
where l.mugshot_match
  and l.origin <> 'imported'
  and not exists (
    select from photograph_checks k where k.rid = l.rid and k.cid = l.cid and k.state = 'match')

-- name: settle_matches
-- Makes the results of some of these links what the comparisons say.
update gdc_links l
set mugshot_match = exists (
  select from photograph_checks k where k.rid = l.rid and k.cid = l.cid and k.state = 'match')
where l.rid = any(@records::bigint[]) and l.origin <> 'imported'

-- name: checks_of
-- Returns the newest comparison of each of some bookings, of pictures that may be shown.
select distinct on (k.rid) k.*
from photograph_checks k
join comparable_photographs p
  on p.rid = k.rid and p.cid = k.cid and p.booking = k.booking and p.corrections = k.corrections
where k.rid = any(@records::bigint[])
order by k.rid, k.id desc
