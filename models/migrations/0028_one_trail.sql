-- What was done about secrets and replays stands in the trail of the account, with everything else. Pages wrote
-- both before; what they wrote is there already.
-- +goose Up
insert into account_events (account_id, at, actor, action, subject)
select account_id, at, actor, case action
    when 'webhook_secret.shown' then 'webhook secret shown'
    when 'webhook_secret.rotation_begun' then 'webhook secret being replaced'
    when 'webhook_secret.rotation_finished' then 'webhook secret replaced'
    when 'webhook_secret.rotation_cancelled' then 'webhook secret kept after all'
    else 'deliveries sent again' end,
  trim(coalesce(detail ->> 'count', '') || ' ' || subject)
from alert_audit where actor like 'command line%' order by id;
drop table alert_audit;
