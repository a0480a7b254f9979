-- Deliveries that begin again (DECISIONS.md, "Webhooks": redelivery and replay).

-- name: begin_deliveries
-- Begins another round of deliveries. The caller has locked the rows (startable_deliveries).
update deliveries
set state = 'pending', reason = null, round = round + 1, failures = 0, next_attempt = @now,
    leased_until = null, leased_by = null, updated_at = @now
where id = any (@ids::text[])
returning coalesce(event_id, '') as event, webhook_id as webhook

-- name: retractions_to_begin
-- Returns and locks the deliveries that take back events which begin again. A receiver never gets a withdrawn release
-- alone.
select d.id
from unnest(@events::text[], @webhooks::text[]) b (event, webhook)
join events e on e.retracts = b.event
join startable_deliveries d on d.event_id = e.id and d.webhook_id = b.webhook
order by d.id
for update of d
