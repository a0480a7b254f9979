-- Statements that are alike for the three families of records: {reachable} is the view of those that callers can reach,
-- {versions} that of their history, {key} their key, {family} their name.

-- name: merged_booking
-- A merged record by its public id, and the record that it is now.
select rid as own, merged_into as record from reachable_bookings where id = @id and merged_into is not null

-- name: merged_offender
select cid as own, merged_into as record from reachable_corrections where gdc_id = @id and merged_into is not null

-- name: merged_case
select id as own, merged_into as record from reachable_cases where id = @key and public_id = @id and merged_into is not null

-- name: lifetimes
-- Every version of records that are published, or were merged into one that is. One that never changed has a row without a
-- version: its instant is the beginning.
select r.{key} as of_key, coalesce(r.known_at, r.first_seen) as since, v.id is not null as changed,
  coalesce(v.at, r.first_seen) as at, v.source_id, v.field, v.before, v.after
from {reachable} r
left join {versions} v on v.record = r.{key}
where r.{key} = any (@keys)
order by 1, v.id

-- name: history
-- Versions of records and of those that were merged into them (merged_from), as far as they are published.
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
-- Merges that happened by @at are followed from the record whose id it was. A chain of more than a hundred is none.
with recursive step (key, n) as (
  select @key::bigint, 0
  union all
  select m.into_record, n + 1
  from step p
  join merges m on m.family = '{family}' and m.gone = p.key and m.merged_at <= @at
  where n < 100
)
select key from step order by n desc limit 1
