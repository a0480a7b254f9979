-- Statements of a run that are alike for all families (CLAIMS.md, section 3.5).

-- name: next_generation
-- Locks the family and takes its next generation. Writers commit in the order of these numbers (CLAIMS.md, rule 4).
update generations
set gen = gen + 1
where family = @family
returning gen

-- name: raise_sort_memory
-- Raises the memory of the transaction, to sort the rows of a large snapshot once, by key.
set local work_mem = '64MB'

-- name: create_incoming
-- Makes the table of the rows of a snapshot. There is one for each connection, made once, so that catalogs stay as
-- they are from run to run. Go alone reads row.
create temp table if not exists incoming (
  ord bigint not null,
  line bigint not null,
  key text collate "C" not null,
  key_only boolean not null,
  county_id smallint,
  said_at timestamptz not null,
  fingerprint bytea,
  name_key text collate "C",
  dob date,
  booked_at timestamptz,
  ended_at timestamptz,
  person_key text collate "C",
  number text collate "C",
  row text not null
) on commit delete rows

-- name: index_incoming
-- Makes the index by which claims are looked up among the rows. The server believes that a new source has few claims,
-- and would read all rows for each.
create index if not exists incoming_key on incoming (key)

-- name: analyze_incoming
-- Counts the rows for the planner, which knows nothing of a table that was just filled.
analyze incoming (ord, key, county_id, said_at, booked_at)

-- name: changed_rows
-- Opens the rows that have to be read, those of one key together and oldest first. A row with the fingerprint known
-- for its key is unchanged and never leaves the server (CLAIMS.md, rule 25). A repeated key is read whatever it says
-- (CLAIMS.md, rule 28). Each row is looked up by itself (limit), by the primary key.
declare changed_rows no scroll cursor for
select i.ord, i.line, i.key, i.row
from incoming i
left join lateral (
  select (
      length(c.fingerprint) > 0
      and c.fingerprint = i.fingerprint
      and c.present
      and c.misses = 0
      and not c.disputed
      and c.record is not null) as same
  from {claims} c
  where c.source_id = @source and c.key = i.key and c.stay = 0
  limit 1
) c on true
where c.same is not true or @repeated and i.key in (select key from incoming group by key having count(*) > 1)
order by i.key, i.said_at, i.ord

-- name: count_repeated
-- Counts the keys that come more than once (CLAIMS.md, rule 28).
select count(*) from (select from incoming group by key having count(*) > 1) r

-- name: touch_unchanged
-- Notes when unchanged rows of an incomplete snapshot were seen. Of a complete one the list of complete snapshots says
-- it (CLAIMS.md, rule 26).
update {claims} c
set said_at = greatest(c.said_at, i.said_at)
from incoming i
where c.source_id = @source
  and c.key = i.key
  and c.stay = 0
  and c.fingerprint = i.fingerprint
  and length(c.fingerprint) > 0
  and c.present
  and c.misses = 0
  and not c.disputed
  and c.said_at < i.said_at

-- name: absent_keys
-- Returns the claims that a complete snapshot lacks: those that were listed, and, for a late snapshot, those that are
-- missing since a later one (CLAIMS.md, rule 44). A row that names only a key lists nobody.
select c.key, c.record
from {claims} c
where c.source_id = @source
  and c.stay = 0
  and (c.present or c.missing_since > @at)
  and not exists (select from incoming i where i.key = c.key and not i.key_only)
order by c.key

-- name: count_present
-- Counts the claims that the source lists. The guards compare the snapshot with this count (CLAIMS.md, rules 18
-- and 19).
select count(*) from {claims} where source_id = @source and present

-- name: complete_snapshots
-- Returns the complete snapshots of a source, whether each may confirm an absence, and whether an operator released it.
-- The same bytes again confirm nothing (CLAIMS.md, rule 21). This run counts when it is complete.
with own as (
  select @at::timestamptz as at, content, released from runs where id = @run and @complete
),
complete as (
  select at, min(content) as content, bool_or(released) as released
  from (
    select snapshot_at as at, content, released
    from runs
    where source_id = @source
      and complete
      and snapshot_at is not null
      and id is distinct from @run
    union all
    select at, content, released from own
  ) s
  group by at
)
select at, content is null or content is distinct from lag(content) over (order by at) as confirms, released
from complete
order by at

-- name: note_content
-- Stores a digest of what the run read, and whether an operator released it. A replay has the documents of the run
-- that it repeats, which may be a replay too. The run of a scope has the digest of its own rows, because other counties
-- prove nothing about it (CLAIMS.md, rule 21 and "Decided" 6).
update runs r
set released = @approved, content = case
      when r.part_of is null then (
          with recursive read as (
            select r.id, r.replay_of
            union all
            select p.id, p.replay_of from read join runs p on p.id = read.replay_of
          )
          select encode(sha256(string_agg(c.digest, ''::bytea order by a.seq)), 'hex')
          from read
          join archives a on a.run_id = read.id
          join archive_contents c on c.id = a.content_id)
      else (
          select encode(
              sha256(
                string_agg(
                  convert_to(i.key, 'UTF8') || coalesce(i.fingerprint, ''::bytea), ''::bytea order by i.key, i.ord)),
              'hex')
          from incoming i)
    end
where r.id = @run

-- name: source
-- Returns what a run must know of its source.
select s.kind, s.whole_since is not null, s.imports, coalesce(s.data_seconds, 0), s.last_complete
from sources s
where s.id = @source

-- name: last_snapshot
-- Returns when the source was read before: its newest complete snapshot, or, where it does not list everybody, its
-- newest one. The longer ago, the more may have changed (CLAIMS.md, rule 19).
select case when @lists then coalesce(s.last_complete, r.last) else r.last end
from sources s
cross join (
  select max(snapshot_at) as last
  from runs
  where source_id = @source and id <> @run and state in ('ok', 'partial')
) r
where s.id = @source

-- name: note_import
-- Notes that a takeover filled the source: its claims yield to those of any other (CLAIMS.md, rule 51).
update sources set imports = true where id = @source and not imports

-- name: note_run
-- Stores the instant of the snapshot and whether it was complete, which absence and release times go by (CLAIMS.md,
-- rules 21 and 45).
update runs
set snapshot_at = @at, complete = @complete, documents = nullif(@documents::int, 0)
where id = @run

-- name: note_source
-- Stores that rows were applied, in the same transaction: if the process ends before the run is concluded, the next
-- run is no baseline (DECISIONS.md, "Alerts"). No row is found while an operator's hold stands, which stops the commit
-- (CLAIMS.md, rule 3). The row stays locked until the commit, so a later hold stops the next snapshot.
update sources
set last_applied = greatest(last_applied, @now), keys = coalesce(@keys::text[], keys),
    reported = case
      when @reported::jsonb is not null
        and (
          reported is null
          or @approved
          or not @lists
          or @complete and (last_complete is null or last_complete <= @at)) then @reported::jsonb
      else reported
    end
where id = @source
  and (@approved or held_since is null)
  and not exists (select from sources p where p.id = sources.parent and p.held_since is not null)

-- name: note_complete
-- Stores the newest complete snapshot and how many rows it had, from which the next one may shrink so far (CLAIMS.md,
-- rule 15).
update sources
set last_complete = greatest(last_complete, @at),
    last_rows = case when last_complete is null or last_complete <= @at then @rows else last_rows end
where id = @source

-- name: note_counties
-- Stores the counties that the rows named: each is a scope of the source (CLAIMS.md, "Decided" 6).
insert into source_counties (source_id, county_id)
select @source, county_id
from incoming
where county_id is not null
group by county_id
on conflict do nothing

-- name: fetch_changed_rows
-- Reads on in the rows that have to be read.
fetch forward 10000 from changed_rows

-- name: close_changed_rows
-- Closes these rows.
close changed_rows

-- name: any_record
-- Reports whether the family has a record or a claim. Empty tables are filled without their indexes (CLAIMS.md,
-- rule 6).
select exists (select from {records}) or exists (select from {claims})

-- name: raise_index_memory
-- Raises the memory of the transaction, to make indexes again after filling (CLAIMS.md, rule 6).
set local maintenance_work_mem = '256MB'

-- name: indexes_and_references
-- Returns what slows filling empty tables down, with the statements that drop it and make it again (CLAIMS.md,
-- rule 6). The index of claims by record stays, because it is read meanwhile.
select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
from pg_index i
where i.indrelid = any(@tables::text[]::regclass[])
  and not i.indisunique
  and pg_get_indexdef(i.indexrelid, 1, true) <> 'record'
union all
select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname),
  format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
from pg_constraint c
where c.contype = 'f'
  and c.conrelid = any(@tables::text[]::regclass[])
  and c.confrelid = any(@tables::text[]::regclass[])
order by 1

-- name: outgrown_tables
-- Returns the tables whose statistics are out of date. They have more than half a megabyte, and more than twice the
-- pages they had when they were counted.
select c.relname
from pg_class c
where c.oid = any(@tables::text[]::regclass[])
  and pg_relation_size(c.oid) > 2 * greatest(c.relpages, 32) * current_setting('block_size')::bigint
order by 1
