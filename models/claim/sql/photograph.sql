-- Photographs of claims (DECISIONS.md, "Dates, times, unknown facts"; docs/decisions/0027-photographs.md). A claim has
-- at most one. {claims}, {records} and {key} stand for the tables of a family, as elsewhere.

-- name: photographable
-- Returns the claims under some keys of a source whose photographs may be taken: their records are published, and
-- nobody asked to have the photograph removed. Each key is looked up by itself.
select k.key, c.fingerprint, c.record, coalesce(c.photograph, '')
from unnest(@keys::text[]) k (key)
cross join lateral (select * from {claims} where source_id = @source and key = k.key and stay = 0 limit 1) c
join {records} r on r.{key} = c.record
where r.withheld is null
  and r.merged_into is null
  and not exists (
    select
    from {records} o
    join removed_photographs x on x.family = @family and x.record = o.{key}
    where o.{key} = r.{key} or o.merged_into = r.{key})

-- name: released_before
-- Returns those of some bookings whose people were released before an instant.
select rid from bookings where rid = any(@records::bigint[]) and released_at < @since

-- name: put_photographs
-- Stores the hashes of photographs with their claims, and returns the records of those that have another one now. An
-- empty hash takes the photograph away.
update {claims} c
set photograph = nullif(n.hash, '')
from unnest(@sources::text[], @keys::text[], @stays::smallint[], @hashes::text[]) n (source_id, key, stay, hash)
where c.source_id = n.source_id
  and c.key = n.key
  and c.stay = n.stay
  and c.photograph is distinct from nullif(n.hash, '')
returning coalesce(c.record, 0)

-- name: photographs_differ
-- Reports whether one of these claims has another photograph.
select exists (
  select
  from unnest(@sources::text[], @keys::text[], @stays::smallint[], @hashes::text[]) n (source_id, key, stay, hash)
  join {claims} c on c.source_id = n.source_id and c.key = n.key and c.stay = n.stay
  where c.photograph is distinct from nullif(n.hash, ''))

-- name: photographs_to_end
-- Returns the claims that may keep their photograph no longer: their records are withheld, their people asked for it,
-- their sources do not allow photographs any more, the picture turned out to be a placeholder, or it is not kept.
select c.source_id, c.key, c.stay
from {claims} c
join {records} r on r.{key} = c.record
left join photograph_files f on f.hash = c.photograph
where c.photograph is not null
  and (r.withheld is not null
    or coalesce(f.placeholder, true)
    or c.source_id <> all(@sources::text[])
    or exists (
      select
      from {records} o
      join removed_photographs x on x.family = @family and x.record = o.{key}
      where o.{key} = r.{key} or o.merged_into = r.{key}))

-- name: photographs_of_released
-- Returns the claims with a photograph of a source whose people were released before an instant.
select c.source_id, c.key, c.stay
from roster_claims c
join bookings b on b.rid = c.record
where c.photograph is not null and c.source_id = @source and b.released_at < @since

-- name: photographs_of_record
-- Returns the claims with a photograph that are attached to a record.
select source_id, key, stay from {claims} where record = @record and photograph is not null

-- name: people_of_picture
-- Returns how many people, by their names, have a picture.
select count(distinct r.name_key)
from {claims} c
join {records} r on r.{key} = c.record
where c.photograph = @hash

-- name: drop_removed_photographs
-- Takes the photographs of a record away if a request covers it or one that was merged into it.
update {claims} c
set photograph = null
where c.record = @kept
  and c.photograph is not null
  and exists (
    select
    from {records} o
    join removed_photographs x on x.family = @family and x.record = o.{key}
    where o.{key} = @kept or o.merged_into = @kept)

-- name: claims_of_picture
-- Returns the claims that have a picture.
select source_id, key, stay from {claims} where photograph = @hash
