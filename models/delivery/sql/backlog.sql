-- What is still to be delivered.

-- name: delivery_backlog
-- Returns the backlog of all accounts, for metrics. It reads only deliveries under way.
select d.pending, d.failed, d.oldest, w.failing, w.disabled
from (
  select count(*) filter (where state = 'pending') as pending,
    count(*) filter (where state = 'failed') as failed,
    min(next_attempt) filter (where next_attempt <= @now) as oldest
  from deliveries
  where state in ('pending', 'failed')
) d, (
  select count(*) filter (where failing_since is not null) as failing,
    count(*) filter (where status = 'disabled') as disabled
  from webhooks
  where deleted_at is null
) w

-- name: backlogs
-- Returns backlogs by account or by webhook: of all accounts, of one account, or of some of its webhooks. An argument
-- that is null does not narrow.
select case when @by_account then account_id else webhook_id end as of,
  count(*) filter (where state = 'pending' and next_attempt <= @now) as waiting,
  count(*) filter (where state = 'pending' and next_attempt > @now) as delayed,
  count(*) filter (where state = 'failed') as retrying,
  min(next_attempt) filter (where next_attempt <= @now) as oldest_due,
  max(next_attempt) filter (where state = 'pending' and next_attempt > @now) as delayed_until
from deliveries
where state in ('pending', 'failed')
  and (@account::text is null or account_id = @account)
  and (@webhooks::text[] is null or webhook_id = any (@webhooks))
group by 1

-- name: delivery_delay
-- Returns how long webhooks waited for their first attempt, in seconds: the median and the 95th percentile of the
-- newest ones since an instant. No delivery has neither.
with recent as (
  select d.id, d.created_at
  from deliveries d
  where d.created_at >= @since and d.way = 'webhook' and d.attempts > 0
  order by d.created_at desc
  limit 2000
)
select count(*) as deliveries,
  percentile_cont(0.5) within group (order by extract(epoch from a.at - r.created_at)) as median,
  percentile_cont(0.95) within group (order by extract(epoch from a.at - r.created_at)) as p95
from recent r
cross join lateral (select at from attempts where delivery_id = r.id order by id limit 1) a
