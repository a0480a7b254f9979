-- Sources and the files that they dropped.

-- name: shown_sources
-- Returns what is shown of every source and scope, with the counties that it covers. One statement reads all, because
-- answers ask for it once a second. Ignored rows are looked for where the note is about rows in quarantine.
select id, parent, title, kind, county_id, enabled, interval_seconds, data_seconds, whole_since, not_before,
  last_attempt, last_success, last_complete, data_at, held_since, held_run, refused_since, retired_at, note, imports,
  coalesce(note like '%in quarantine' and (
    select bool_and(q.ignored_at is not null)
    from quarantine q
    where q.source_id = s.id and q.resolved_at is null and q.run_id = (
      select max(r.id) from runs r where r.source_id = s.id and r.state in ('ok', 'partial'))
  ), false) as ignored,
  (select json_agg(c.county_id order by c.county_id) from source_counties c where c.source_id = s.id) as covers
from sources s
order by id

-- name: put_source
-- Stores the document of a source, whatever the state of the source. It returns no row when the id is known with
-- another kind. whole_since stays for as long as the source promises complete snapshots.
insert into sources as s (id, parent, title, kind, county_id, interval_seconds, data_seconds, whole_since)
values (
  @id, nullif(@parent, ''), @title, @kind, @county, @interval, @data, case when @lists then @now::timestamptz end
)
on conflict (id) do update
set title = excluded.title, county_id = excluded.county_id, interval_seconds = excluded.interval_seconds,
    data_seconds = excluded.data_seconds,
    whole_since = case when excluded.whole_since is not null then coalesce(s.whole_since, excluded.whole_since) end
where s.kind = excluded.kind
returning enabled, last_success, last_complete, data_at, last_rows, header_fingerprint, held_since, held_run, reported,
  keys, failures, not_before

-- name: highest_number
-- Returns the highest number in the keys of a source that fit the pattern. The number is the first group.
select coalesce(max((regexp_match(c.key, @pattern))[1]::bigint), 0)
from known_roster_claims c
where c.source_id = @source or c.source_id in (select id from sources where parent = @source)

-- name: forget_held_files
-- Forgets the files of the newest run of a scope that was held and not applied, so that the next run reads them. The
-- snapshot that began the hold is none of these, because the release applies or discards it, unless its documents are
-- lost. Only the files of sources that list everybody are forgotten.
delete from source_files f
where f.source_id = @source
  and exists (select from sources s where s.id = @source and s.whole_since is not null)
  and f.run_id = (
    select coalesce(r.part_of, r.id)
    from runs r
    where r.source_id = @scope
      and r.state = 'held'
      and r.replay_of is null
      and ((r.report->>'standing')::boolean or @lost::boolean)
      and r.id >= coalesce(@held::bigint, 0)
    order by r.id desc
    limit 1)

-- name: scopes_of_keys
-- Returns the counties of a source whose scopes have used some keys.
select s.county_id
from sources s
where s.parent = @source and s.county_id is not null
  and exists (select from known_roster_claims c where c.source_id = s.id and c.key = any(@keys::text[]))
order by s.id

-- name: known_keys
-- Returns those of some keys under which a source or scope has claims.
select distinct c.key
from known_roster_claims c
where c.source_id = @source and c.key = any(@keys::text[])
