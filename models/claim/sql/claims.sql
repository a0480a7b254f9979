-- Claims: reading and writing. The tables of the families have one shape.

-- name: claims_by_key
-- Each key is looked up by itself (limit): a plan for any array would compare each claim with each key, one by one.
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint, c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed,
  coalesce(c.person_key, ''), coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0)
 from unnest(@keys::text[]) k (key) cross join lateral (select * from {claims} where source_id = @source and key = k.key and stay = 0 limit 1) c

-- name: claims_by_record
-- Each record is looked up by itself, as above.
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint, c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed,
  coalesce(c.person_key, ''), coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0)
 from (select distinct unnest(@records::bigint[]) as record) r cross join lateral (select * from {claims} where record = r.record offset 0) c order by c.record, c.source_id, c.key, c.stay

-- name: create_written
create temp table if not exists written_{claims} (like {claims} including defaults) on commit delete rows

-- name: clear_written
truncate written_{claims}

-- name: write_claims
insert into {claims} select * from written_{claims}
on conflict (source_id, key, stay) do update set
  record = excluded.record, county_id = excluded.county_id, how = excluded.how, how_at = excluded.how_at, fingerprint = excluded.fingerprint,
  first_at = excluded.first_at, said_at = excluded.said_at, present = excluded.present, missing_since = excluded.missing_since, misses = excluded.misses,
  disputed = excluded.disputed, person_key = excluded.person_key, number = excluded.number,
  facts = excluded.facts, since = excluded.since, evidence = excluded.evidence, run_id = excluded.run_id

-- name: move_claims
-- Attaches all claims of a record to another one. The moves are its history.
with moved as (
  update {claims} c set record = @into, how = 'merged', how_at = @now where c.record = @from returning c.source_id, c.key, c.stay)
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, actor)
select @family, source_id, key, stay, @now, @from, @into, 'merge', @actor from moved

-- name: return_claims
-- Attaches those claims to a record again that its merge took from it, as they were attached before, and no others.
with returned as (
  update {claims} c set record = @to, how = coalesce((select case p.rule when 'merge' then 'merged' end from claim_moves p
     where p.family = @family and p.source_id = c.source_id and p.key = c.key and p.stay = c.stay and p.to_record = @to order by p.id desc limit 1), 'own'), how_at = @now
   where c.record = @from and exists (select from claim_moves m where m.family = @family and m.source_id = c.source_id and m.key = c.key and m.stay = c.stay and m.from_record = @to and m.rule = 'merge')
  returning c.source_id, c.key, c.stay)
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, actor)
select @family, source_id, key, stay, @now, @from, @to, 'unmerge', @actor from returned

-- name: decisions
-- What was decided of a record, and of those that were merged into it.
select d.id, coalesce(r.merged_into, r.{key}), d.kind, coalesce(d.reason::text, ''), coalesce(d.because_family, ''), coalesce(d.because, 0), d.decided_at
 from decisions d join {records} r on r.{key} = d.record
 where d.family = @family and d.ended_at is null and d.kind in ('publish', 'withhold') and (r.{key} = any(@records::bigint[]) or r.merged_into = any(@records::bigint[])) order by 2, 1

-- name: end_decisions
update decisions set ended_at = @now where id = any(@ids::bigint[]) and ended_at is null

-- name: decide
insert into decisions (family, record, kind, reason, because_family, because, other, actor, note, decided_at)
 values (@family, @record, @kind, nullif(@reason::text, '')::withheld_reason, @because_family, @because, @other, @actor, @note, @now)

-- name: end_other_decisions
-- A decision takes the place of those before it about the same ground; to publish ends that the record is kept withheld.
update decisions d set ended_at = @now from {records} r
 where r.{key} = d.record and d.family = @family and (r.{key} = @record or r.merged_into = @record) and d.ended_at is null and d.kind in ('publish', 'withhold')
  and (d.reason::text = @reason or d.kind <> @kind)

-- name: records_of_keys
select record from {claims} where source_id = @source and key = any(@keys::text[]) and stay = 0 and record is not null
