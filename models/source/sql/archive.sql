-- What raw documents hold, kept once for the same bytes of a source, and how long.

-- name: archive_content
-- Returns the content with a digest, made if it is new, and whether its chunks are stored. The row stays locked until
-- the commit, so that retention does not delete it meanwhile.
insert into archive_contents as c (source_id, digest)
values (@source, @digest)
on conflict (source_id, digest) do update set stored = c.stored
returning id, stored is not null

-- name: needed_and_expired
-- Returns the sources of expired documents that a held snapshot or a row in quarantine still needs.
select distinct r.source_id
from archives a
join runs r on r.id = a.run_id
where a.expires_at <= @now and a.run_id in (select id from needed_runs)
order by 1

-- name: archive_size
-- Returns how many bytes all contents take.
select coalesce(sum(stored), 0)::bigint from archive_contents

-- name: shrink_archive
-- Deletes the archives of the contents that were received longest ago, until contents of @over bytes are without one.
-- Contents that somebody needs go last. Those of a run that goes on stay. Returns how many archives were deleted, and
-- the sources of those that were needed.
with used as (
  select a.content_id as id, coalesce(c.stored, 0) as stored, max(a.fetched_at) as last,
    bool_or(a.run_id in (select id from needed_runs)) as needed
  from archives a
  join archive_contents c on c.id = a.content_id
  join runs r on r.id = a.run_id
  group by a.content_id, c.stored
  having not bool_or(r.state = 'running')
),
ordered as (
  select id, needed, sum(stored) over (order by needed, last, id) - stored as before from used
),
gone as (
  delete from archives a
  using ordered o
  where a.content_id = o.id and o.before < @over::bigint
  returning a.run_id, o.needed
)
select count(*)::int, coalesce(array_agg(distinct r.source_id) filter (where g.needed), '{}')
from gone g
join runs r on r.id = g.run_id

-- name: lock_unused_contents
-- Locks contents to which no archive refers, so that no run refers to them anew, and returns them.
select c.id
from archive_contents c
where not exists (select from archives a where a.content_id = c.id)
order by c.id
limit @batch
for update skip locked

-- name: delete_unused_contents
-- Deletes those of the locked contents to which no archive refers still.
delete from archive_contents c
where c.id = any(@ids::bigint[]) and not exists (select from archives a where a.content_id = c.id)
