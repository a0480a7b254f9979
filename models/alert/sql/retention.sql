-- What is over is deleted, in statements that lock little. Tables with an ascending number are searched in windows of
-- it.

-- name: expire_deliveries
-- Deletes final deliveries with their attempts.
delete from deliveries
where id in (
  select id
  from deliveries
  where created_at < @before and state in ('delivered', 'dropped')
  order by created_at
  limit @batch
  for update skip locked)

-- name: span_of_events
-- Returns the lowest and the highest number of events, between which the windows lie.
select coalesce(min(seq) - 1, 0) as low, coalesce(max(seq), 0) as high from events

-- name: expire_events
-- Deletes the old events of one window, and the hits that no event needs. Events of a booking that goes on are kept,
-- so that it is announced once. Hits with feedback are kept, so that dismissed people stay dismissed.
with gone as (
  delete from events e
  where e.seq > @low
    and e.seq <= @high
    and e.at < @before
    and not exists (select from deliveries d where d.event_id = e.id)
    and not exists (select from events x where x.retracts = e.id and x.at >= @before)
    and not exists (
      select
      from known_bookings b
      where b.rid = e.rid and (b.released_at is null or b.released_at >= @before))
  returning e.id, e.hit_id
),
hits_gone as (
  delete from hits h
  using gone g
  where h.id = g.hit_id
    and h.feedback is null
    and not exists (select from events e where e.hit_id = h.id and not exists (select from gone o where o.id = e.id))
)
select count(*)
from gone

-- name: span_of_changes
-- Returns the lowest and the highest number of changes, between which the windows lie.
select coalesce(min(id) - 1, 0) as low, coalesce(max(id), 0) as high from changes

-- name: expire_changes
-- Deletes the old changes of one window. The last state of each source is kept.
with gone as (
  delete from changes c
  where c.id > @low and c.id <= @high and c.detected_at < @before
    and c.matched_at is not null
    and not exists (select from events e where e.change_id = c.id)
    and not exists (select from changes t where t.retracts = c.id)
    and (c.rid is not null
      or c.id < (select max(n.id) from changes n where n.source_id = c.source_id and n.rid is null))
  returning c.id
)
select count(*) from gone

-- name: span_of_batches
-- Returns the lowest and the highest number of batches, between which the windows lie.
select coalesce(min(id) - 1, 0) as low, coalesce(max(id), 0) as high from change_batches

-- name: expire_batches
-- Deletes the batches of one window whose changes are all deleted.
with gone as (
  delete from change_batches b
  where b.id > @low and b.id <= @high and b.detected_at < @before
    and not exists (select from changes c where c.batch_id = b.id)
  returning b.id
)
select count(*) from gone
