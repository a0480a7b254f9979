-- Uses of API keys.

-- name: touch_keys
-- Stores when keys were last used. Several processes report uses, in any order.
update api_keys k
set last_used = u.at
from unnest(@ids::text[], @times::timestamptz[]) u (id, at)
where k.id = u.id and (k.last_used is null or k.last_used < u.at)

-- name: add_usage
-- Adds the requests that a process counted since its last report. Hours are touched in one order, so that two
-- processes cannot wait for each other.
insert into usage_hours as h (account_id, hour, requests, limited)
select account_id, hour, sum(requests), sum(limited)
from unnest(
  @accounts::text[], @hours::timestamptz[], @requests::bigint[], @limited::bigint[]
) c (account_id, hour, requests, limited)
group by account_id, hour
order by account_id, hour
on conflict (account_id, hour) do update
set requests = h.requests + excluded.requests, limited = h.limited + excluded.limited
