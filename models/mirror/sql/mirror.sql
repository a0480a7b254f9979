-- What changed of the records of a family. {published} and {reachable} are its views, {key} and {id} the internal key
-- and the public id in them.

-- name: generations
-- Returns how far each family goes, and how far its tombstones may be deleted.
select family, gen, forgotten from generations

-- name: changes
-- Returns the changes after a generation and a key in it, the oldest first: published records, and tombstones of those
-- that are not published now. Both halves are read in the order of an index, and no further than the page. A merged
-- record leads to the one that it is now, if that one is published.
select p.gen, p.record, p.gone, p.public_id, k.public_id
from (
  (
    select gen, {key} as record, false as gone, {id} as public_id
    from {published}
    where (gen, {key}) > (@gen::bigint, @key::bigint) and gen <= @upto::bigint
    order by gen, {key}
    limit @n::int
  )
  union all
  (
    select t.gen, t.record, true, t.id
    from tombstones t
    where t.family = @family::text
      and (t.gen, t.record) > (@gone_gen::bigint, @gone_key::bigint)
      and t.gen <= @upto::bigint
      and t.gone
      and not exists (select from {published} b where b.{key} = t.record)
    order by t.gen, t.record
    limit @n::int
  )
) p
left join {reachable} m on p.gone and m.{key} = p.record
left join lateral (select {id} as public_id from {published} where {key} = m.merged_into) k on true
order by p.gen, p.record
limit @n::int

-- name: forget_tombstones
-- Deletes the tombstones of before an instant, and notes up to which generation one may be missing. What only came back
-- is missed by nobody.
with old as (
  delete from tombstones where at < @before returning family, gen, gone
),
noted as (
  update generations g
  set forgotten = o.gen
  from (select family, max(gen) as gen from old where gone group by family) o
  where o.family = g.family and o.gen > g.forgotten
)
select count(*) from old
