-- Deliveries that begin anew (DECISIONS, "Webhooks": redelivery and replay).

-- name: begin_deliveries
-- The rows are locked already (startable_deliveries).
update deliveries
set state = 'pending', reason = null, round = round + 1, failures = 0, next_attempt = @now,
    leased_until = null, leased_by = null, updated_at = @now
where id = any (@ids::text[])
returning coalesce(event_id, '') as event, webhook_id as webhook

-- name: retractions_to_begin
-- What takes the events back that were begun anew: nobody is sent a withdrawn release alone.
select d.id
from unnest(@events::text[], @webhooks::text[]) b (event, webhook)
join events e on e.retracts = b.event
join startable_deliveries d on d.event_id = e.id and d.webhook_id = b.webhook
order by d.id
for update of d
