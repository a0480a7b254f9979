-- Endpoints, deliveries to them and their attempts. The queue is described in docs/decisions/0005-delivery-queue.md.
-- +goose Up

-- ---------------------------------------------------------------- endpoints

create table webhooks (
  id              text collate "C" primary key,            -- wh_...
  account_id      text collate "C" not null references accounts,
  way             text not null default 'webhook' check (way in ('webhook', 'email')),
  url             text not null,                           -- https:, or mailto: by e-mail
  events          text[] not null check (cardinality(events) > 0 and events <@ '{booking,release,bond_change}'),
  notices         text[] not null default '{}' check (notices <@ '{retraction,source_stale,sealed}'),
  payload_version smallint not null default 1 check (payload_version in (1, 2)),
  paused          boolean not null default false,          -- by the account
  status          text not null default 'active' check (status in ('active', 'disabled')), -- disabled: by rollcall
  disabled_reason text,
  failing_since   timestamptz,
  -- by e-mail: several deliveries in one mail, refused mails in a row, and when the recipient last confirmed
  digest          text not null default 'none' check (digest in ('none', 'hour', 'day')),
  bounces         integer not null default 0,
  confirmed_at    timestamptz,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null)),
  check (way = 'email' or digest = 'none')
);
create index webhooks_account on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
-- An account has an address once, in whatever letter case.
create unique index webhooks_address on webhooks (account_id, lower(url)) where way = 'email' and deleted_at is null;

-- Mails that asked an address to confirm. They are kept for a day, which is how long they count.
create table confirmation_mails (
  account_id text collate "C" not null references accounts,
  url        text not null,                                -- mailto:
  at         timestamptz not null
);
create index confirmation_mails_at on confirmation_mails (at);

-- The secret that signs all deliveries of an account, encrypted.
create table webhook_secrets (
  account_id     text collate "C" primary key references accounts,
  current        bytea not null,
  next           bytea,                                    -- set during a rotation: both secrets sign
  rotating_since timestamptz,
  created_at     timestamptz not null,
  check ((next is null) = (rotating_since is null))
);

-- ---------------------------------------------------------------- deliveries

-- An event on its way to an endpoint. A process that works on a delivery leases it until leased_until, and renews the
-- lease while it lives. No index has the lease, so taking a delivery rewrites its row only.
create table deliveries (
  id           text collate "C" primary key,               -- dlv_...
  account_id   text collate "C" not null references accounts,
  webhook_id   text collate "C" not null references webhooks,
  way          text not null default 'webhook' check (way in ('webhook', 'email')), -- of its endpoint
  event_id     text collate "C" references events on delete cascade, -- null: a test delivery
  message_id   text collate "C" not null,                  -- webhook-id: that of the event, or of the test
  watcher_id   text collate "C" references watchers,
  kind         text not null,
  body         bytea not null,                             -- serialised once: all attempts send the same bytes
  match        jsonb,                                      -- probability, level and reasons, for the headers

  state        text not null check (state in ('pending', 'failed', 'delivered', 'dropped')),
  reason       text,                                       -- why it was dropped
  round        integer not null default 1,                 -- 1, and one more for each redelivery
  attempts     integer not null default 0,                 -- in all rounds
  failures     integer not null default 0,                 -- in this round
  next_attempt timestamptz,
  leased_until timestamptz,
  leased_by    text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  unique (event_id, webhook_id),
  check ((state in ('pending', 'failed')) = (next_attempt is not null)),
  check ((state = 'dropped') = (reason is not null))
) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
-- Lists.
create index deliveries_account on deliveries (account_id, created_at desc, id desc);
create index deliveries_account_state on deliveries (account_id, state, created_at desc, id desc);
create index deliveries_webhook on deliveries (webhook_id, created_at desc, id desc);
create index deliveries_webhook_state on deliveries (webhook_id, state, created_at desc, id desc);
create index deliveries_watcher on deliveries (watcher_id, created_at desc, id desc);
-- The queue.
create index deliveries_due on deliveries (way, next_attempt) where state in ('pending', 'failed');
create index deliveries_webhook_open on deliveries (webhook_id, next_attempt) where state in ('pending', 'failed');
create index deliveries_watcher_open on deliveries (watcher_id) where state in ('pending', 'failed');
-- Retention. created_at never changes, so an attempt does not write this index.
create index deliveries_age on deliveries (created_at);

-- Notifies the senders, when the transaction commits, that there is something to deliver.
-- +goose StatementBegin
create function announce_deliveries() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_deliveries', '');
  return null;
end $$;
-- +goose StatementEnd
create trigger deliveries_announced after insert on deliveries
  for each statement execute function announce_deliveries();
create trigger redeliveries_announced after update on deliveries
  for each row when (old.state in ('delivered', 'dropped') and new.state = 'pending')
  execute function announce_deliveries();

create table attempts (
  id          bigint generated always as identity primary key,
  delivery_id text collate "C" not null references deliveries on delete cascade,
  at          timestamptz not null,
  status      integer,                                     -- HTTP status; null: no answer
  latency_ms  integer not null,
  class       text not null,                               -- kind of outcome
  answer      text,                                        -- first KiB of the body
  error       text                                         -- null: delivered
);
create index attempts_delivery on attempts (delivery_id, id);

-- ---------------------------------------------------------------- what may be sent and shown

-- Deliveries with what holds for them at this moment. A statement pays only for the columns that it names.
create view deliveries_now as
select o.*,
  -- It is final and its watcher still wants it, so it may be sent again.
  o.state in ('delivered', 'dropped') and not o.withheld and not exists (
    select from watchers w
    where w.id = o.watcher_id and (w.deleted_at is not null or (w.paused or o.dismissed) and not o.owed)) as repeatable
from (
  select d.*,
    -- Its body speaks of a booking of which nothing may be shown. The notice that says so names nobody.
    d.kind <> 'sealed' and exists (
      select from events e join withheld_bookings b on b.rid = e.rid where e.id = d.event_id) as withheld,
    -- It takes back something that its receiver got, or may be getting at this moment. It is sent although its watcher
    -- is paused or the person was dismissed.
    d.kind = 'sealed' or d.kind = 'retraction' and exists (
      select from events e join deliveries b on b.event_id = e.retracts and b.webhook_id = d.webhook_id
      where e.id = d.event_id and (b.attempts > 0 or b.leased_by is not null)) as owed,
    -- Its watcher dismissed this record.
    exists (
      select from dismissals x join events e on e.rid = x.rid
      where e.id = d.event_id and x.watcher_id = d.watcher_id) as dismissed
  from deliveries d
) o;

-- Deliveries that a redelivery or replay may begin anew: their endpoint is sent to as well.
create view startable_deliveries as
select d.*
from deliveries_now d
where d.repeatable
  and exists (
    select from webhooks w
    where w.id = d.webhook_id and w.deleted_at is null and w.status = 'active' and not w.paused);
