-- The outcome of attempts (DECISIONS.md, "Webhooks").

-- name: move_deliveries
-- Stores the outcome of attempts. A delivery moves only while @by holds it in the same round, except that a success
-- always counts. Rows are locked in one order everywhere, so that two transactions never wait for each other.
with held as (
  select id, round, state, leased_by
  from deliveries
  where id = any (@ids::text[])
  order by id
  for update
),
results as (
  select r.*,
    h.state in ('pending', 'failed') and h.round = r.round and (h.leased_by = @by or r.state = 'delivered') as moves
  from unnest(@ids::text[], @rounds::int[], @states::text[], @reasons::text[], @failures::int[], @nexts::timestamptz[])
    r (id, round, state, reason, failures, next)
  join held h on h.id = r.id
)
update deliveries d
set attempts = d.attempts + 1,
    updated_at = @now,
    state = case when r.moves then r.state else d.state end,
    reason = case when r.moves then r.reason else d.reason end,
    failures = case when r.moves then r.failures else d.failures end,
    next_attempt = case when r.moves then r.next else d.next_attempt end,
    leased_until = case when r.moves then null else d.leased_until end,
    leased_by = case when r.moves then null else d.leased_by end
from results r
where d.id = r.id

-- name: keep_attempts
-- Stores the attempts. Each one is a row.
insert into attempts (delivery_id, at, status, latency_ms, class, answer, error)
select *
from unnest(
  @ids::text[], @ats::timestamptz[], @statuses::int[], @latencies::int[], @classes::text[], @answers::text[],
  @errors::text[]
)

-- name: note_health
-- Stores since when endpoints have been failing. Most endpoints worked before and work now, so most attempts write no
-- row.
with news as (
  select w.id, n.bounces, case when n.worked then n.since else coalesce(w.failing_since, n.since) end as since
  from webhooks w
  join unnest(@ids::text[], @worked::bool[], @since::timestamptz[], @bounces::int[])
      n (id, worked, since, bounces) on n.id = w.id
  where w.failing_since is not null and n.worked
     or w.bounces <> n.bounces
     or w.failing_since is null and n.since is not null
  order by w.id
  for update of w
)
update webhooks w
set failing_since = news.since, bounces = news.bounces
from news
where w.id = news.id

-- name: disable_webhooks
-- Disables endpoints that did nothing but fail, and drops what is under way to them. Another process may have seen a
-- success meanwhile; then the endpoint is not disabled.
with gone as (
  update webhooks w
  set status = 'disabled', disabled_reason = n.why
  from unnest(@ids::text[], @since::timestamptz[], @why::text[]) n (id, since, why)
  where w.id = n.id and n.why <> '' and w.status = 'active' and w.failing_since <= n.since
  returning w.id
),
dropped as (
  update deliveries d
  set state = 'dropped', reason = 'disabled', next_attempt = null, updated_at = @now
  from gone
  where d.webhook_id = gone.id and d.state in ('pending', 'failed')
)
select id from gone

-- name: drop_deliveries
-- Drops deliveries of this process without an attempt.
update deliveries d
set state = 'dropped', reason = @why, next_attempt = null, leased_until = null, leased_by = null, updated_at = @now
from (
  select id
  from deliveries
  where id = any (@ids::text[]) and leased_by = @by and state in ('pending', 'failed')
  order by id
  for update
) held
where d.id = held.id
