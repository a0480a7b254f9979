-- Merges of records and their undoing (CLAIMS.md, rules 61 and 66). {records}, {key} and {claims} stand for the tables
-- of a family. @kept is the record that stays, and @gone the one that is merged into it.

-- name: merge_versions
-- Writes into the history of the record that stays that the id of the other leads to it from now on. Its first_seen is
-- the older of both.
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, k.{key}, @now, k.source_id, v.field, v.before, v.after
from {records} k
join {records} g on g.{key} = @gone
cross join lateral (
  values ('first_seen', instant(k.first_seen), instant(least(k.first_seen, g.first_seen))),
    ('merged', null, @id::text)
) v (field, before, after)
where k.{key} = @kept and v.before is distinct from v.after

-- name: merge_ground
-- Dates the ground of the record that stays from the merged one, where it has no instant of its own. What an operator
-- lifted of the merged record then needs no second decision (CLAIMS.md, rule 72).
update {records} k
set withheld_since = g.withheld_since
from {records} g
where k.{key} = @kept
  and g.{key} = @gone
  and k.withheld_since is null
  and g.withheld_since is not null

-- name: merge_kept
-- Makes the record that stays as old as the older of both, and as fresh as the fresher.
update {records} k
set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen),
    known_at = coalesce(k.known_at, k.first_seen), last_change = @now, gen = @gen
from {records} g
where k.{key} = @kept and g.{key} = @gone

-- name: merge_gone_version
-- Ends the history of the merged record. It is another record from now on, and what withheld it concerns that one.
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, g.{key}, @now, g.source_id, v.field, v.before, v.after
from {records} g
cross join lateral (
  values ('merged_into', null, (@kept::bigint)::text), ('withheld', g.withheld::text, null)
) v (field, before, after)
where g.{key} = @gone and v.before is distinct from v.after

-- name: merge_gone
-- Makes the record a merged one. Being merged is no kind of being withheld (CLAIMS.md, section 3.4).
update {records}
set withheld = null, merged_into = @kept, last_change = @now, gen = @gen
where {key} = @gone

-- name: merge_earlier
-- Lets records that were merged into this one follow it.
update {records} set merged_into = @kept where merged_into = @gone

-- name: merge_offender_booking_links
-- Brings the bookings that are linked with the merged offender to the one that stays.
update gdc_links set cid = @kept where cid = @gone

-- name: merge_offender_case_links
-- Brings the cases that are linked with the merged offender to the one that stays, where they are not linked with it
-- already.
update court_links g
set cid = @kept
where g.cid = @gone and not exists (select from court_links k where k.case_id = g.case_id and k.cid = @kept)

-- name: drop_offender_case_links
-- Deletes the links of cases that were left with the merged offender.
delete from court_links where cid = @gone

-- name: find_offender
-- Finds and locks an offender to merge. One that vanished can be merged as well.
select cid, ''
from corrections_records
where gdc_id = @id and (withheld is null or withheld = 'vanished') and merged_into is null
for update

-- name: find_merged
-- Finds and locks a merged record. It returns the record that the id leads to now, and the one that it was merged into
-- directly. Only a record that was merged directly can be set free.
select g.merged_into, m.into_record, m.merged_at
from {records} g
join merges m on m.family = @family and m.gone = g.{key}
where g.{key} = @gone
for update of g

-- name: gone_booking
-- Finds a merged booking by its public id.
select rid from bookings where id = @id and merged_into is not null

-- name: gone_offender
-- Finds a merged corrections record by its public id.
select cid from corrections_records where gdc_id = @id and merged_into is not null

-- name: gone_case
-- Finds a merged case by its public id, which ends in its key.
select c.id
from court_cases c
join counties k on k.id = c.county_id
where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint
  and @id = 'case-' || k.slug || '-' || c.id
  and c.merged_into is not null

-- name: end_merge
-- Ends the decision by which the record was merged.
update decisions
set ended_at = @now
where family = @family and kind = 'merge' and other = @gone and ended_at is null

-- name: unmerge_gone
-- Makes the merged record one of its own again.
update {records}
set merged_into = null, last_change = @now, gen = @gen
where {key} = @gone

-- name: unmerge_versions
-- Continues the history of the record that is set free. The history of the other one says that the id no longer leads
-- to it, and its first_seen is its own again.
with begun as (
  select before
  from record_changes
  where family = @family and record = @kept and field = 'first_seen' and at = @merged_at
  order by id desc
  limit 1
),
earlier as (
  update {records} k
  set first_seen = b.before::timestamptz, last_change = @now, gen = @gen
  from begun b
  where k.{key} = @kept and b.before is not null
  returning k.{key}, k.first_seen
)
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, r.{key}, @now, r.source_id, v.field, v.before, v.after
from {records} r
cross join lateral (
  values (@kept, 'merged', @id::text, null), (@gone, 'merged_into', (@kept::bigint)::text, null),
    (
      @kept, 'first_seen', (select instant(r.first_seen) from earlier),
      (select before from begun where exists (select from earlier)))
) v (record, field, before, after)
where r.{key} in (@kept, @gone) and v.record = r.{key} and v.before is distinct from v.after

-- name: touch_record
-- Raises the generation of a record, so that cached answers which show it expire.
update {records} set last_change = @now, gen = @gen where {key} = @record

-- name: find_case
-- Finds and locks a case to merge, by its public id, which ends in its key.
select c.id, c.county_id::text
from court_cases c
join counties k on k.id = c.county_id
where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint
  and @id = 'case-' || k.slug || '-' || c.id
  and c.withheld is null
  and c.merged_into is null
for update of c

-- name: merge_case_hearings
-- Deletes the hearings of the merged case, after its history has kept them. Those of the case that stays are resolved
-- from the claims of both (CLAIMS.md, rule 63).
with gone as (
  delete from hearings h
  where case_id = @gone
  returning h.event,
    hearing_text(h.cancelled, h.starts_at, h.date, h.time, h.kind, h.judge, h.location, h.link) as text
)
insert into record_changes (family, record, at, source_id, field, before)
select 'courts', c.id, @now, c.source_id, 'hearing ' || g.event, g.text
from gone g
join court_cases c on c.id = @gone
where g.text is not null

-- name: merge_case_links
-- Brings the links of the merged case to the one that stays. A case has one corrections record, and one link to a
-- booking.
update court_links g
set case_id = @kept
where case_id = @gone
  and not exists (
    select
    from court_links k
    where k.case_id = @kept and (k.rid = g.rid or k.cid is not null and g.cid is not null))

-- name: drop_case_links
-- Deletes the links that were left with the merged case.
delete from court_links where case_id = @gone

-- name: merges_in_force
-- Returns the merges that hold, newest first, with public ids. The row of a merged record stays, so both ends are
-- found.
select d.family, g.id as gone, k.id as kept, d.decided_at as at, d.actor, count(*) over () as total
from decisions d
join lateral (
  select b.id from bookings b where d.family = 'roster' and b.rid = d.other
  union all
  select o.gdc_id
  from corrections_records o
  where d.family = 'corrections' and o.cid = d.other
  union all
  select 'case-' || y.slug || '-' || c.id
  from court_cases c
  join counties y on y.id = c.county_id
  where d.family = 'courts' and c.id = d.other
) g on true
join lateral (
  select b.id from bookings b where d.family = 'roster' and b.rid = d.record
  union all
  select o.gdc_id
  from corrections_records o
  where d.family = 'corrections' and o.cid = d.record
  union all
  select 'case-' || y.slug || '-' || c.id
  from court_cases c
  join counties y on y.id = c.county_id
  where d.family = 'courts' and c.id = d.record
) k on true
where d.kind = 'merge' and d.ended_at is null
order by d.decided_at desc, d.id desc
limit @limit

-- name: move_claims
-- Attaches all claims of a record to another one. claim_moves is the history of that, and keeps how they were attached
-- before. When the claim was last seen is noted: what its source says from then on counts beside what others say of
-- the record that stays.
with moved as (
  select source_id, key, stay, how, how_at, (since ->> 'merged')::timestamptz as merged
  from {claims}
  where record = @from
),
attached as (
  update {claims} c
  set record = @into,
      how = 'merged',
      how_at = @now,
      since = (
        coalesce(c.since::jsonb, '{}')
        || jsonb_build_object(
          'merged',
          greatest(c.said_at, case when c.present and c.misses = 0 then s.last_complete end)))::json
  from sources s
  where s.id = c.source_id and c.record = @from
)
insert into claim_moves (
  family, source_id, key, stay, at, from_record, to_record, rule, actor, how, how_at, merged
)
select @family, source_id, key, stay, @now, @from, @into, 'merge', @actor, how, how_at, merged
from moved

-- name: return_claims
-- Attaches the claims to a record again that came from it by its merge, as they were attached before: those that the
-- merge moved, and those that its id or identity attracted since (note_attracted). It returns no others.
with back as (
  select distinct on (c.source_id, c.key, c.stay) c.source_id, c.key, c.stay, m.how, m.how_at, m.merged
  from {claims} c
  join claim_moves m on m.family = @family
    and m.source_id = c.source_id
    and m.key = c.key
    and m.stay = c.stay
    and m.from_record = @to
    and m.rule = 'merge'
    and m.at >= @merged_at
  where c.record = @from
  order by c.source_id, c.key, c.stay, m.id desc
),
returned as (
  update {claims} c
  set record = @to,
      how = b.how,
      how_at = b.how_at,
      since = nullif(
        coalesce(c.since::jsonb, '{}')
        - 'merged'
        || case when b.merged is null then '{}' else jsonb_build_object('merged', b.merged) end,
        '{}')::json
  from back b
  where c.source_id = b.source_id and c.key = b.key and c.stay = b.stay
)
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, actor)
select @family, source_id, key, stay, @now, @from, @to, 'unmerge', @actor
from back

-- name: end_successions
-- Forgets what claims inherited across the merge, where the key of one record took the lead from that of the other
-- (resolve/since.go). What they inherited across other merges stays, as long as these hold for their record.
update {claims} c
set since = (
  select json_object_agg(s.key, s.value)
  from json_each(c.since) s
  where s.key not like '% across %'
    or exists (
      select
      from merges m
      join {records} g on g.{key} = m.gone
      where m.family = @family
        and g.merged_into = c.record
        and m.merged_at = split_part(s.key, ' across ', 2)::timestamptz))
where c.record in (@kept, @gone) and c.since::text like '% across %'

-- name: unmerge_earlier
-- Lets the records that had been merged into the one that is set free follow it again.
with recursive back as (
  select gone from merges where family = @family and into_record = @gone
  union all
  select m.gone from back b join merges m on m.family = @family and m.into_record = b.gone
)
update {records}
set merged_into = @gone, last_change = @now, gen = @gen
where {key} in (select gone from back)

-- name: unmerge_seen
-- Makes the record that stays as fresh as its own claims. The merge made it as fresh as the other one.
update {records} k
set last_seen = c.at
from (select max(said_at) as at from {claims} where record = @kept) c
where k.{key} = @kept and c.at < k.last_seen

-- name: restore_decisions
-- Lets the decisions to publish count again that the merge itself ended, because the claims of the other record ended
-- their grounds (CLAIMS.md, rule 72). What ended later may have ended by itself. A decision that an operator replaced
-- stays ended. So do all where a run has read a row of the record's own claims since, whatever instant its data are of,
-- or where a source said something of the age: a ground may have ended by itself and begun again. A published record
-- holds its ground from the decision on.
with restored as (
  update decisions d
  set ended_at = null
  from {records} r
  where r.{key} = d.record
    and d.family = @family
    and (r.{key} in (@kept, @gone) or r.merged_into = @gone)
    and d.kind = 'publish'
    and d.decided_at <= @merged_at
    and d.ended_at = @merged_at
    and not exists (
      select
      from {claims} c
      left join runs n on n.id = c.run_id
      where c.record = coalesce(r.merged_into, r.{key})
        and (
          c.evidence ->> 'unread' = 'true'
          or n.id is not null and (n.finished_at is null or n.finished_at >= @merged_at)))
    and not exists (
      select
      from decisions o
      where o.family = @family
        and o.record in (@kept, @gone)
        and o.kind in ('publish', 'withhold')
        and o.id > d.id
        and o.decided_at = d.ended_at)
    and not exists (
      select
      from {claims} c
      where c.record in (@kept, @gone)
        and (
          (c.evidence ->> 'juvenile_at')::timestamptz > @merged_at
          or (c.evidence ->> 'retracted_at')::timestamptz > @merged_at
          or (c.evidence ->> 'doubt_at')::timestamptz > @merged_at
          or (c.evidence ->> 'unread_at')::timestamptz > @merged_at
          or exists (
            select
            from json_each_text(c.since) s
            where s.key in ('birth', 'dob', 'birth_year') and s.value::timestamptz > @merged_at)))
  returning d.record, d.decided_at
)
update {records} r
set withheld_since = d.at
from (select record, max(decided_at) as at from restored group by record) d
where r.{key} = d.record and r.withheld is null and r.withheld_since is null

-- name: find_booking
-- Finds and locks a booking to merge.
select rid, county_id::text
from bookings
where id = @id and withheld is null and merged_into is null
for update

-- name: merge_booking_links
-- Brings the link of the merged booking to the one that stays, which may have its own.
update gdc_links
set rid = @kept
where rid = @gone and not exists (select from gdc_links where rid = @kept)

-- name: drop_booking_links
-- Deletes the link that was left with the merged booking.
delete from gdc_links where rid = @gone

-- name: merge_booking_case_links
-- Brings the cases that are linked with the merged booking to the one that stays, where they are not linked with it
-- already.
update court_links g
set rid = @kept
where rid = @gone and not exists (select from court_links k where k.rid = @kept and k.case_id = g.case_id)

-- name: drop_booking_case_links
-- Deletes the links of cases that were left with the merged booking.
delete from court_links where rid = @gone

-- name: keep_restriction
-- Withholds the record that is set free as well, where an operator withheld the one that stays: nobody knows whom of
-- the two the order is about (CLAIMS.md, rule 66).
insert into decisions (family, record, kind, reason, actor, note, decided_at)
select family, @gone, kind, reason, actor, note, @now
from decisions
where family = @family
  and record = @kept
  and kind = 'withhold'
  and reason = 'restricted'
  and ended_at is null
  and not exists (
    select
    from decisions d
    where d.family = @family
      and d.record = @gone
      and d.kind = 'withhold'
      and d.reason = 'restricted'
      and d.ended_at is null)
