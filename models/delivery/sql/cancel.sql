-- What is under way ends. What is on the wire at this moment may land; it is not tried again. Rows are locked in one order,
-- as by whoever records attempts.

-- name: cancel_for_webhook
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

-- name: cancel_for_watcher
-- With @owed, also what takes something back that a receiver got (view deliveries_now).
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, updated_at = @now
from (
  select id
  from deliveries_now
  where watcher_id = @watcher and state in ('pending', 'failed') and (@owed::boolean or not owed)
  order by id
  for update
) open
where d.id = open.id

-- name: cancel_for_people
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
