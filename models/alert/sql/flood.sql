-- The flood limit of an account (DECISIONS.md, "Alerts"). It is a leaky bucket of one minute (GCRA), whose theoretical
-- arrival time is flood_tat.

-- name: flood_limits
-- Returns and locks the limits of accounts. A limit cannot change before this transaction commits; a change plans anew
-- what is written here.
with a as materialized (
  select id, flood_limit
  from accounts
  where id = any (@accounts::text[]) and flood_limit > 0
  order by id
  for share
)
select a.id as account_id, a.flood_limit as limit, coalesce(t.flood_tat, @now) as tat
from a
join alert_accounts t on t.account_id = a.id
order by a.id
for update of t

-- name: keep_flood
-- Stores up to when the bucket of an account is filled.
update alert_accounts set flood_tat = @tat where account_id = @account

-- name: lock_flood
-- Locks the bucket of an account. Each transaction that plans deliveries of the account holds this row.
insert into alert_accounts as t (account_id)
values (@account)
on conflict (account_id) do update set account_id = t.account_id
returning flood_tat

-- name: count_delayed
-- Counts the deliveries that the limit delays.
select count(*)
from deliveries
where account_id = @account and state = 'pending' and next_attempt > @now and event_id is not null
  and webhook_id not in (select id from webhooks where account_id = @account and digest <> 'none')

-- name: replan_deliveries
-- Plans the delayed deliveries of an account anew, in the order in which they were due. From @begin on, one is due
-- each @step seconds, and none before now. The limit delays deliveries and drops none.
with held as (
  select id, next_attempt, created_at
  from deliveries
  where account_id = @account
    and state = 'pending'
    and next_attempt > @now
    and event_id is not null
    and webhook_id not in (select id from webhooks where account_id = @account and digest <> 'none')
  order by id
  for update
),
place as (
  select id, row_number() over (order by next_attempt, created_at, id) as n from held
)
update deliveries d
set next_attempt = greatest(
      @now::timestamptz, @begin::timestamptz + make_interval(secs => place.n * @step::float8 - @window::float8)),
    updated_at = @now
from place
where d.id = place.id
