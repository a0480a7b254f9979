-- Request bins, which the service itself hosts.

-- name: keep_bin_request
-- Stores what arrived, and deletes what is older than the newest @older ones before it. A delivery that retention
-- deletes at this moment leaves nothing.
with old as (
  delete from bin_requests
  where webhook_id = @webhook
    and id <= (select id from bin_requests where webhook_id = @webhook order by id desc offset @older limit 1)
)
insert into bin_requests (webhook_id, delivery_id, at, headers, status)
select d.webhook_id, d.id, @at, @headers::jsonb, @status::int
from deliveries d
join webhooks w on w.id = d.webhook_id
where d.id = @delivery and d.webhook_id = @webhook and w.deleted_at is null

-- name: empty_bin
-- Deletes what arrived in a bin.
delete from bin_requests
where webhook_id = @webhook

-- name: expire_bin_requests
-- Deletes what arrived in bins before an instant.
delete from bin_requests
where at < @before
