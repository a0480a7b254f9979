-- An operator may ignore rows in quarantine until they change. The same row again, by its fingerprint, stays ignored;
-- one that changed is another row, and waits.
-- +goose Up
alter table quarantine add column ignored_at timestamptz; -- null: nobody ignores it

-- The runs whose raw documents somebody still needs: those of held snapshots, those that wait to be read after a
-- release, and those with rows in quarantine that nobody ignores. A replay needs the documents of the run that it
-- repeats, and the run of a scope those of its source.
create or replace view needed_runs as
with recursive needed (id) as (
  select held_run from sources where held_run is not null
  union
  select run_id from quarantine where resolved_at is null and ignored_at is null
  union
  select r.id
  from runs r
  join sources s on s.id = r.source_id
  where r.state = 'held'
    and (r.report->>'standing')::boolean
    and r.replay_of is null
    and s.whole_since is null
    and not exists (select from runs x where x.replay_of = r.id and x.state in ('ok', 'partial'))
  union
  select up.id
  from needed n
  join runs r on r.id = n.id
  cross join lateral (values (r.part_of), (r.replay_of)) up (id)
  where up.id is not null
)
select id from needed;
