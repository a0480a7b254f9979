-- Deliveries under way end. A request already on the wire may land and is not tried again. Rows are locked in the same
-- order as when attempts are recorded.

-- name: cancel_for_webhook
-- Drops what is under way to an endpoint.
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, updated_at = @now
from (
  select id
  from deliveries
  where webhook_id = @webhook and state in ('pending', 'failed')
  order by id
  for update
) open
where d.id = open.id

-- name: cancel_for_account
-- Drops what is under way to all endpoints of an account.
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, updated_at = @now
from (
  select id
  from deliveries
  where account_id = @account and state in ('pending', 'failed')
  order by id
  for update
) open
where d.id = open.id

-- name: cancel_for_watcher
-- Drops what is under way for some watchers. With @owed that includes what takes something back which a receiver got
-- (view deliveries_now).
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, updated_at = @now
from (
  select id
  from deliveries_now
  where watcher_id = any (@watchers::text[]) and state in ('pending', 'failed') and (@owed::boolean or not owed)
  order by id
  for update
) open
where d.id = open.id

-- name: cancel_for_people
-- Drops what is under way for a watcher about some bookings, but for what takes something back.
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, updated_at = @now
from (
  select id
  from deliveries_now
  where watcher_id = @watcher
    and event_id in (select id from events where watcher_id = @watcher and rid = any (@rids::bigint[]))
    and state in ('pending', 'failed')
    and not owed
  order by id
  for update
) open
where d.id = open.id
