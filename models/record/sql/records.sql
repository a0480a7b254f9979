-- Statements that are alike for the three families: {reachable} is the view of the records that callers can reach,
-- {versions} that of their history, {key} their key, and {family} their name.

-- name: merged_booking
-- Finds a merged booking by its public id, and the record that it is now (CLAIMS.md, rule 61).
select rid as own, merged_into as record from reachable_bookings where id = @id and merged_into is not null

-- name: merged_offender
-- Finds a merged corrections record by its public id, and the record that it is now.
select cid as own, merged_into as record from reachable_corrections where gdc_id = @id and merged_into is not null

-- name: merged_case
-- Finds a merged case by its public id, and the record that it is now.
select id as own, merged_into as record
from reachable_cases
where id = @key and public_id = @id and merged_into is not null

-- name: lifetimes
-- Returns every version of records that are published, or were merged into one that is. A record that never changed
-- has a row without a version, whose instant is its beginning.
select r.{key} as of_key, coalesce(r.known_at, r.first_seen) as since, v.id is not null as changed,
  coalesce(v.at, r.first_seen) as at, v.source_id, v.field, v.before, v.after
from {reachable} r
left join {versions} v on v.record = r.{key}
where r.{key} = any (@keys)
order by 1, v.id

-- name: history
-- Returns the versions of records, and of those that were merged into them (merged_from), as far as they are published
-- (CLAIMS.md, rule 82).
with whole as (
  select key, key as record, '' as merged_from
  from unnest(@keys::bigint[]) key
  union all
  select merged_into, {key}, public_id
  from {reachable}
  where merged_into = any (@keys)
)
select w.key as of_key, w.merged_from, v.at, v.source_id, v.field, v.before, v.after
from whole w
join {versions} v on v.record = w.record
order by w.key, w.merged_from, v.id

-- name: named_at
-- Returns the record that an id meant at an instant. It follows the merges that happened by then, at most a hundred.
with recursive step (key, n) as (
  select @key::bigint, 0
  union all
  select m.into_record, n + 1
  from step p
  join merges m on m.family = '{family}' and m.gone = p.key and m.merged_at <= @at
  where n < 100
)
select key from step order by n desc limit 1
