-- Merges and their undoing.

-- name: merge_versions
-- What stays is as old as the older of both, and its history says which id leads to it from now on.
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, k.{key}, @now, k.source_id, v.field, v.before, v.after from {records} k join {records} g on g.{key} = @gone
 cross join lateral (values ('first_seen', instant(k.first_seen), instant(least(k.first_seen, g.first_seen))), ('merged', null, @id::text)) v (field, before, after)
 where k.{key} = @kept and v.before is distinct from v.after

-- name: merge_ground
-- A ground that an operator lifted of the one that goes is known as of then.
update {records} k set withheld_since = g.withheld_since from {records} g where k.{key} = @kept and g.{key} = @gone and k.withheld_since is null and g.withheld_since is not null

-- name: merge_kept
update {records} k set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen), known_at = coalesce(k.known_at, k.first_seen), last_change = @now, gen = @gen
 from {records} g where k.{key} = @kept and g.{key} = @gone

-- name: merge_gone_version
-- Its history ends here: it is another record from now on, and whatever spoke against showing it is that one's.
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, g.{key}, @now, g.source_id, v.field, v.before, v.after from {records} g
 cross join lateral (values ('merged_into', null, (@kept::bigint)::text), ('withheld', g.withheld::text, null)) v (field, before, after)
 where g.{key} = @gone and v.before is distinct from v.after

-- name: merge_gone
update {records} set withheld = null, merged_into = @kept, last_change = @now, gen = @gen where {key} = @gone

-- name: merge_earlier
-- What was merged into the one that goes follows it.
update {records} set merged_into = @kept where merged_into = @gone

-- name: merge_offender_booking_links
update gdc_links set cid = @kept where cid = @gone

-- name: merge_offender_case_links
update court_links g set cid = @kept where g.cid = @gone and not exists (select from court_links k where k.case_id = g.case_id and k.cid = @kept)

-- name: drop_offender_case_links
delete from court_links where cid = @gone

-- name: find_offender
select cid, '' from corrections_records where gdc_id = @id and (withheld is null or withheld = 'vanished') and merged_into is null for update

-- name: find_merged
-- Which record one is now, and which it was merged into directly: only what was merged into a record directly can be set free.
select g.merged_into, m.into_record, m.merged_at from {records} g join merges m on m.family = @family and m.gone = g.{key} where g.{key} = @gone for update of g

-- name: gone_booking
select rid from bookings where id = @id and merged_into is not null

-- name: gone_offender
select cid from corrections_records where gdc_id = @id and merged_into is not null

-- name: gone_case
-- The id of a case ends in its key.
select c.id from court_cases c join counties k on k.id = c.county_id
 where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint and @id = 'case-' || k.slug || '-' || c.id and c.merged_into is not null

-- name: end_merge
update decisions set ended_at = @now where family = @family and kind = 'merge' and other = @gone and ended_at is null

-- name: unmerge_gone
update {records} set merged_into = null, last_change = @now, gen = @gen where {key} = @gone

-- name: unmerge_versions
-- Its history goes on where the merge ended it. That of the record that stayed says that the id leads to it no more, and
-- its beginning is its own again.
with begun as (select before from record_changes where family = @family and record = @kept and field = 'first_seen' and at = @merged_at order by id desc limit 1),
 earlier as (update {records} k set first_seen = b.before::timestamptz, last_change = @now, gen = @gen from begun b where k.{key} = @kept and b.before is not null returning k.{key}, k.first_seen)
insert into record_changes (family, record, at, source_id, field, before, after)
select @family::text, r.{key}, @now, r.source_id, v.field, v.before, v.after from {records} r
 cross join lateral (values (@kept, 'merged', @id::text, null), (@gone, 'merged_into', (@kept::bigint)::text, null), (@kept, 'first_seen', (select instant(r.first_seen) from earlier), (select before from begun where exists (select from earlier)))) v (record, field, before, after)
 where r.{key} in (@kept, @gone) and v.record = r.{key} and v.before is distinct from v.after

-- name: touch_record
update {records} set last_change = @now, gen = @gen where {key} = @record

-- name: find_case
-- The id of a case ends in its key.
select c.id, c.county_id::text from court_cases c join counties k on k.id = c.county_id
 where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint and @id = 'case-' || k.slug || '-' || c.id and c.withheld is null and c.merged_into is null for update of c

-- name: merge_case_hearings
-- The hearings of the case that goes are those of the one that stays; its history keeps what it had.
with gone as (delete from hearings h where case_id = @gone
  returning h.event, hearing_text(h.cancelled, h.starts_at, h.date, h.time, h.kind, h.judge, h.location, h.link) as text)
insert into record_changes (family, record, at, source_id, field, before)
select 'courts', c.id, @now, c.source_id, 'hearing ' || g.event, g.text from gone g join court_cases c on c.id = @gone where g.text is not null

-- name: merge_case_links
update court_links g set case_id = @kept where case_id = @gone and not exists (select from court_links k where k.case_id = @kept and (k.rid = g.rid or k.cid is not null and g.cid is not null))

-- name: drop_case_links
delete from court_links where case_id = @gone

-- name: merge_calendars
update calendar_feeds set case_id = @kept where case_id = @gone

-- name: merges_in_force
-- The merges that hold, newest first, with the public ids. The row of a record that was merged stays, so both ends are there.
select d.family, g.id, k.id, d.decided_at, d.actor, count(*) over ()
from decisions d
join lateral (
  select b.id from bookings b where d.family = 'roster' and b.rid = d.other
  union all
  select o.gdc_id from corrections_records o where d.family = 'corrections' and o.cid = d.other
  union all
  select 'case-' || y.slug || '-' || c.id from court_cases c join counties y on y.id = c.county_id where d.family = 'courts' and c.id = d.other
) g on true
join lateral (
  select b.id from bookings b where d.family = 'roster' and b.rid = d.record
  union all
  select o.gdc_id from corrections_records o where d.family = 'corrections' and o.cid = d.record
  union all
  select 'case-' || y.slug || '-' || c.id from court_cases c join counties y on y.id = c.county_id where d.family = 'courts' and c.id = d.record
) k on true
where d.kind = 'merge' and d.ended_at is null
order by d.decided_at desc, d.id desc
limit @limit

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

-- name: find_booking
select rid, county_id::text from bookings where id = @id and withheld is null and merged_into is null for update

-- name: merge_booking_links
update gdc_links set rid = @kept where rid = @gone and not exists (select from gdc_links where rid = @kept)

-- name: drop_booking_links
delete from gdc_links where rid = @gone

-- name: merge_booking_case_links
update court_links g set rid = @kept where rid = @gone and not exists (select from court_links k where k.rid = @kept and k.case_id = g.case_id)

-- name: drop_booking_case_links
delete from court_links where rid = @gone
