-- Statements that are alike for the three families of records: {records} is their table, {key} its key, {family} their name.

-- name: merged_into
-- Whom the public id of a merged record resolves to, for as long as it is merged.
select m.record
from merged_records m
join {records} g on g.{key} = m.gone
where m.family = '{family}' and m.id = @id and g.withheld = 'merged'

-- name: lifetimes
-- Every version of records that are published, or were merged into one that is. One that never changed has a row of nulls.
select r.{key}, coalesce(r.known_at, r.first_seen), v.at, v.source_id, v.field, v.before, v.after
from {records} r
left join record_changes v on v.family = '{family}' and v.record = r.{key}
where r.{key} = any (@keys)
  and (r.withheld is null
    or r.withheld = 'merged' and exists (
      select from merged_records p
      join {records} k on k.{key} = p.record
      where p.family = '{family}' and p.gone = r.{key} and k.withheld is null))
order by 1, v.id

-- name: history
-- Versions of records and of those that were merged into them (merged_from), as far as they are published.
with whole as (
  select key, key as record, '' as merged_from
  from unnest(@keys::bigint[]) key
  union all
  select m.record, m.gone, m.id
  from merged_records m
  join {records} g on g.{key} = m.gone and g.withheld = 'merged'
  where m.family = '{family}' and m.record = any (@keys)
)
select w.key as of_key, w.merged_from, v.at, v.source_id, v.field, v.before, v.after
from whole w
join record_changes v on v.family = '{family}' and v.record = w.record
where exists (
  select from {records} r
  where r.{key} = v.record
    and (r.withheld is null
      or r.withheld = 'merged' and exists (
        select from merged_records p
        join {records} k on k.{key} = p.record
        where p.family = '{family}' and p.gone = r.{key} and k.withheld is null)))
order by w.key, w.merged_from, v.id

-- name: named_at
-- Merges that happened by @at are followed from the record whose id it was. A chain of more than a hundred is none.
with recursive step (key, n) as (
  select gone, 0 from merged_records where family = '{family}' and id = @id
  union all
  select m.into_record, n + 1
  from step p
  join merged_records m on m.family = '{family}' and m.gone = p.key and m.merged_at <= @at
  where n < 100
)
select key from step order by n desc limit 1
