-- Runs of sources, and the documents that they read.

-- name: lock_source
-- Takes the lock by which one process reads a source at a time (CLAIMS.md, rule 2). The lock belongs to the
-- connection, so it ends with the process, whatever ends that.
select pg_try_advisory_lock(hashtextextended('rollcall source ' || @source, 0))

-- name: lock_source_in_transaction
-- Takes the same lock until the transaction ends.
select pg_try_advisory_xact_lock(hashtextextended('rollcall source ' || @source, 0))

-- name: archives
-- Returns the documents of a run. A replay has those that it read again, and the run of a scope those of its source.
with recursive chain (id) as (
  select @run::bigint
  union
  select coalesce(r.part_of, r.replay_of)
  from runs r
  join chain c on c.id = r.id
  where coalesce(r.part_of, r.replay_of) is not null
)
select a.id, a.run_id, a.seq, a.name, a.content_id, a.bytes, a.fetched_at, a.observed_at, a.expires_at, c.digest
from archives a
join archive_contents c on c.id = a.content_id
where a.run_id in (select id from chain)
order by a.seq

-- name: most_rows
-- Returns the most rows of a complete snapshot within a day, for the guard against shrinking by steps (CLAIMS.md,
-- rule 15). Snapshots up to the one that an operator released last do not count.
select max((r.report->>'fetched')::int)
from runs r
join sources s on s.id = r.source_id
where r.source_id = @source and r.complete
  and r.snapshot_at > @at::timestamptz - interval '24 hours' and r.snapshot_at <= @at
  and r.id > coalesce(s.released_run, 0)

-- name: past_documents
-- Counts the files of the newest complete snapshot, and those of the newest earlier one: fewer files than before hold
-- a snapshot (CLAIMS.md, rule 16). Runs that began after @before may belong to a copy of files that goes on.
select coalesce(c.n, 0) as complete, coalesce(c.at = @at, false) as same, coalesce(p.n, 0) as previous
from (values (1)) one
left join lateral (
  select snapshot_at as at, max(documents) as n
  from runs
  where source_id in (select id from sources where @source in (id, parent))
    and complete
    and documents is not null
    and snapshot_at <= @at
  group by 1
  order by 1 desc
  limit 1
) c on true
left join lateral (
  select max(documents) as n, min(started_at) as first
  from runs
  where source_id in (select id from sources where @source in (id, parent))
    and documents is not null
    and snapshot_at < @at
  group by snapshot_at
  order by snapshot_at desc
  limit 1
) p on @before::timestamptz is null or p.first < @before

-- name: waiting_runs
-- Returns the runs that a standing hold kept from being applied, oldest first (CLAIMS.md, rule 10). A run that a
-- replay applied, or held anew, waits no longer. A source that lists everybody has none, since its next snapshot
-- reports everybody. Runs of its scopes are included, because a scope may have been held in a replay of the source's
-- run.
select r.id
from runs r
left join runs p on p.id = r.part_of
join archives a on a.run_id = coalesce(p.replay_of, p.id, r.id)
where r.source_id in (select id from sources where @source in (id, parent))
  and r.state = 'held'
  and (r.report->>'standing')::boolean
  and r.replay_of is null
  and not exists (select from sources where id = @source and whole_since is not null)
  and not exists (
    select
    from runs x
    where x.replay_of = r.id
      and (
        x.state in ('ok', 'partial') or x.state = 'held' and not coalesce((x.report->>'standing')::boolean, false)))
group by r.id
order by max(a.observed_at), r.id

-- name: same_documents
-- Reports whether a run, or the one that it is a part of, received the same documents, byte by byte, as the last run of
-- that source before it that received any.
with reading as (
  select w.id, w.source_id
  from runs r
  join runs w on w.id = coalesce(r.part_of, r.id)
  where r.id = @run
),
received as (
  select a.run_id, array_agg(a.content_id order by a.content_id) as contents
  from reading n
  join archives a on a.run_id in (
    n.id,
    (select max(r.id) from runs r
     where r.source_id = n.source_id and r.id < n.id and exists (select from archives o where o.run_id = r.id)))
  group by a.run_id
)
select count(*) = 2 and count(distinct contents) = 1 from received
