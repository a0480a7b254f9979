-- Request bins: an endpoint that the service itself hosts, so that an account sees signed deliveries without a server.
-- +goose Up
alter table webhooks
  add column bin text check (bin in ('taken', 'gone', 'broken', 'slow')), -- how the bin answers; null: it is no bin
  add constraint webhooks_bin_way check (bin is null or way = 'webhook');
create unique index webhooks_bin on webhooks (account_id) where bin is not null and deleted_at is null;

-- What arrived in bins. The body is that of the delivery, which no attempt changes; it goes and is withheld with it.
create table bin_requests (
  id          bigint generated always as identity primary key,
  webhook_id  text collate "C" not null references webhooks,
  delivery_id text collate "C" not null references deliveries on delete cascade,
  at          timestamptz not null,
  headers     jsonb not null,                              -- values by name, signatures included
  status      integer                                      -- what the bin answered; null: nothing in time
);
create index bin_requests_webhook on bin_requests (webhook_id, id desc);
create index bin_requests_delivery on bin_requests (delivery_id);
create index bin_requests_at on bin_requests (at);

-- What arrived in bins, as its account may see it now. Of a withheld record the body is left out, and why it matched.
create view bin_requests_now as
select r.id, d.account_id, r.webhook_id, r.delivery_id, r.at, r.status, d.message_id, d.withheld,
  case when not d.withheld then d.body end as body,
  case
    when not d.withheld then r.headers
    else r.headers - '{X-Service-Match-Probability,X-Service-Match-Level,X-Service-Match-Reasons}'::text[]
  end as headers
from bin_requests r
join deliveries_now d on d.id = r.delivery_id;
