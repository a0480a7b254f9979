-- Claims: reading and writing. The tables of the three families have one shape, and {claims}, {records} and {key}
-- stand for their names (CLAIMS.md, section 3.2).

-- name: claims_by_key
-- Returns the claims of a source under some keys. Each key is looked up by itself (limit): a plan for the whole array
-- would compare each claim with each key.
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint,
  c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed, coalesce(c.person_key, ''),
  coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0),
  c.photograph is not null
from unnest(@keys::text[]) k (key)
cross join lateral (select * from {claims} where source_id = @source and key = k.key and stay = 0 limit 1) c

-- name: claims_by_record
-- Returns the claims of all sources on some records, because a record resolves from all of them (CLAIMS.md,
-- section 3.3). Each record is looked up by itself, as above.
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint,
  c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed, coalesce(c.person_key, ''),
  coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0),
  c.photograph is not null
from (select distinct unnest(@records::bigint[]) as record) r
cross join lateral (select * from {claims} where record = r.record offset 0) c
order by c.record, c.source_id, c.key, c.stay

-- name: create_written
-- Makes the table of the known claims that changed.
create temp table if not exists written_{claims} (
  like {claims} including defaults
) on commit delete rows

-- name: clear_written
-- Empties this table for the next chunk of the run.
truncate written_{claims}

-- name: write_claims
-- Updates the known claims that changed. New claims are copied straight in.
insert into {claims}
select *
from written_{claims}
on conflict (source_id, key, stay) do update
set record = excluded.record, county_id = excluded.county_id, how = excluded.how, how_at = excluded.how_at,
    fingerprint = excluded.fingerprint, first_at = excluded.first_at, said_at = excluded.said_at,
    present = excluded.present, missing_since = excluded.missing_since, misses = excluded.misses,
    disputed = excluded.disputed, person_key = excluded.person_key, number = excluded.number, facts = excluded.facts,
    since = excluded.since, evidence = excluded.evidence, run_id = excluded.run_id

-- name: decisions
-- Returns the decisions in force about records, and about records that were merged into them (CLAIMS.md, rules 64
-- and 72).
select d.id, coalesce(r.merged_into, r.{key}), d.kind, coalesce(d.reason::text, ''), coalesce(d.because_family, ''),
  coalesce(d.because, 0), d.decided_at
from decisions d
join {records} r on r.{key} = d.record
where d.family = @family
  and d.ended_at is null
  and d.kind in ('publish', 'withhold')
  and (r.{key} = any(@records::bigint[]) or r.merged_into = any(@records::bigint[]))
order by 2, 1

-- name: end_decisions
-- Ends decisions whose ground is no more: the same ground would have to be decided again (CLAIMS.md, rule 72).
update decisions
set ended_at = @now
where id = any(@ids::bigint[]) and ended_at is null

-- name: records_of_keys
-- Returns the records that keys of a source lead to.
select record
from {claims}
where source_id = @source and key = any(@keys::text[]) and stay = 0 and record is not null

-- name: with_merged
-- Returns some records together with those merged into them, whose ids keep resolving (CLAIMS.md, rule 61).
select array(
  select unnest(@records::bigint[])
  union
  select {key} from {records} where merged_into = any(@records::bigint[]))

-- name: forget_answers
-- Deletes kept answers that show one of the records (CLAIMS.md, rule 79). They are noted in a column for each family.
delete from idempotency_keys
where {records} && @records::bigint[] and status is not null

-- name: note_attracted
-- Stores that claims came to their records by the id or the identity of one that was merged into it (CLAIMS.md,
-- rule 61): from that record, and from each on the way where it was merged more than once, where the merge before had
-- brought it. An unmerge reads it. The run may have begun before the merge.
with recursive way as (
  select n.key, n.how, @now::timestamptz as how_at, m.gone, m.into_record, m.merged_at, 1 as step
  from unnest(@keys::text[], @how::text[], @by::bigint[]) n (key, how, gone)
  join merges m on m.family = @family and m.gone = n.gone
  union all
  select w.key, 'merged', w.merged_at, m.gone, m.into_record, m.merged_at, w.step + 1
  from way w
  join merges m on m.family = @family and m.gone = w.into_record
)
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, run_id, how, how_at)
select @family, @source, key, 0, greatest(@now, merged_at), gone, into_record, 'merge', nullif(@run::bigint, 0), how,
  how_at
from way
order by key, step
