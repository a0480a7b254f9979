-- Alerts: watchers, what changed, events, hits, registrations, deliveries and their attempts.
-- +goose Up

-- ---------------------------------------------------------------- watchers

create sequence watcher_revs;

-- A watcher is never removed from its table, only marked deleted: what it caused stays explained.
create table watchers (
  id         text collate "C" primary key,           -- alrt_...
  account_id text collate "C" not null references accounts,
  name       text not null check (name <> ''),
  county_id  smallint references counties,           -- null: all counties
  events     text[] not null check (cardinality(events) > 0 and events <@ '{booking,release,bond_change}'),
  level      text not null default 'normal' check (level in ('strict', 'normal', 'wide')),
  dob        date,
  birth_year smallint,
  label      text,
  note       text,
  paused     boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz,
  rev        bigint not null,                        -- of its last change: revisions commit in order
  since_rev  bigint not null                         -- since when it watches without a pause
);
create index watchers_account on watchers (account_id, created_at desc, id desc) where deleted_at is null;
create unique index watchers_rev on watchers (rev);
create index watchers_county on watchers (county_id, account_id) where deleted_at is null;

-- What is kept once for an account: counters, and the flood limit's clock.
create table alert_accounts (
  account_id text collate "C" primary key references accounts,
  watchers   bigint not null default 0,              -- active ones
  flood_tat  timestamptz                             -- theoretical arrival time of the next delivery (GCRA)
);
alter table accounts add flood_limit integer not null default 0 check (flood_limit >= 0); -- deliveries a minute; 0: no limit

-- Whoever changes watchers holds this lock until commit, so that revisions become visible in order and
-- a reader that has seen revision n has seen all before it.
-- +goose StatementBegin
create function order_watchers() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1919904882);
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_ordered before insert or update on watchers for each statement execute function order_watchers();

-- +goose StatementBegin
create function number_watcher() returns trigger language plpgsql as $$
begin
  new.rev := nextval('watcher_revs');
  if tg_op = 'INSERT' or old.paused and not new.paused then new.since_rev := new.rev; end if;
  return new;
end $$;
-- +goose StatementEnd
create trigger watchers_numbered before insert or update on watchers for each row execute function number_watcher();

-- +goose StatementBegin
create function announce_watchers() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_watchers', '');
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_announced after insert or update on watchers for each statement execute function announce_watchers();

-- +goose StatementBegin
create function count_watchers() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into alert_accounts as a (account_id, watchers)
      select account_id, count(*) from fresh where deleted_at is null group by 1 order by 1
      on conflict (account_id) do update set watchers = a.watchers + excluded.watchers;
  end if;
  if tg_op <> 'INSERT' then
    insert into alert_accounts as a (account_id, watchers)
      select account_id, -count(*) from stale where deleted_at is null group by 1 order by 1
      on conflict (account_id) do update set watchers = a.watchers + excluded.watchers;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_counted_insert after insert on watchers referencing new table as fresh for each statement execute function count_watchers();
create trigger watchers_counted_update after update on watchers referencing old table as stale new table as fresh for each statement execute function count_watchers();
create trigger watchers_counted_delete after delete on watchers referencing old table as stale for each statement execute function count_watchers();

-- ---------------------------------------------------------------- what changed

-- When rows of a source were last applied, written with them: tells a baseline from an ordinary run.
alter table sources add last_applied timestamptz;
update sources set last_applied = last_success;

-- One for each transaction that changed something worth an event.
create table change_batches (
  id          bigint generated always as identity primary key,
  source_id   text collate "C" not null references sources,
  run_id      bigint references runs on delete set null,
  detected_at timestamptz not null,
  watcher_rev bigint not null                        -- watchers up to here were there when it committed
);

-- The outbox: what happened, with the facts of the record at that moment. Written in the transaction
-- that changes the record; matched_at is set in the one that writes its events.
create table changes (
  id           bigint generated always as identity primary key,
  batch_id     bigint not null references change_batches,
  kind         text not null check (kind in ('booking', 'release', 'bond_change', 'retraction', 'sealed', 'source_stale', 'source_recovered')),
  detected_at  timestamptz not null,
  source_id    text collate "C" not null references sources,
  rid          bigint references bookings on delete cascade,      -- null: of a source, not of a record
  record_id    text collate "C",
  county_id    smallint references counties,
  name         text,
  dob          date,
  birth_year   smallint,
  booked_at    timestamptz,
  released_at  timestamptz,
  charges      text[],
  bond_cents   bigint,
  -- Who the record said it was before, when this change is a correction of that: whoever matched then
  -- was told, or came too late.
  old_name       text,
  old_dob        date,
  old_birth_year smallint,
  retracts     bigint references changes on delete cascade,       -- the release that is taken back
  matched_at   timestamptz,
  check (kind in ('source_stale', 'source_recovered') or (rid is not null and record_id is not null and county_id is not null and name is not null
    and booked_at is not null and charges is not null)),
  check ((kind = 'retraction') = (retracts is not null))
);
create unique index changes_once on changes (rid, kind, batch_id);
create unique index changes_source_once on changes (source_id, kind, batch_id) where rid is null;
create unique index changes_retracted_once on changes (retracts);
create index changes_open on changes (id) where matched_at is null;
create index changes_batch on changes (batch_id);

-- ---------------------------------------------------------------- hits, events

-- A person booked whom a watcher matches: one for each watcher and record, whatever happens to it.
create table hits (
  id          text collate "C" primary key,          -- hit_...
  account_id  text collate "C" not null references accounts,
  watcher_id  text collate "C" not null references watchers,
  rid         bigint not null references bookings on delete cascade,
  probability real not null check (probability between 0 and 1),
  reasons     text[] not null,
  at          timestamptz not null,
  verdict     text check (verdict in ('confirm', 'dismiss', 'unsure')),
  verdict_at  timestamptz,
  unique (watcher_id, rid)
);
create index hits_watcher on hits (watcher_id, at desc, id desc);
create index hits_record on hits (rid);

-- Whom a watcher never wants to hear of again: the record of the hit, and whoever is the same person.
create table dismissals (
  hit_id     text collate "C" primary key references hits on delete cascade,
  watcher_id text collate "C" not null references watchers,
  rid        bigint not null references bookings on delete cascade,
  at         timestamptz not null
);
create index dismissals_watcher on dismissals (watcher_id);
create index dismissals_record on dismissals (rid);

-- seq ascends in the order of commits, so that whoever follows events by it misses none.
create sequence event_seqs;
create table events (
  id          text collate "C" primary key,          -- evt_...: the webhook-id of every delivery of it
  seq         bigint not null unique default nextval('event_seqs'),
  account_id  text collate "C" not null references accounts,
  kind        text not null,
  change_id   bigint not null references changes on delete cascade,
  watcher_id  text collate "C" references watchers,  -- null: a notice about a source
  rid         bigint references bookings on delete cascade,
  hit_id      text collate "C" references hits on delete cascade,
  retracts    text collate "C" references events on delete cascade,
  level       text,                                  -- of the watcher, then
  probability real,
  reasons     text[],
  at          timestamptz not null,                  -- when the change was detected
  created_at  timestamptz not null
);
create unique index events_once on events (watcher_id, change_id) where watcher_id is not null;
create unique index events_notice_once on events (account_id, change_id) where watcher_id is null;
-- A record is booked once, also when its name is corrected later.
create unique index events_booked_once on events (watcher_id, rid) where kind = 'booking';
create index events_account on events (account_id, seq);
create index events_watcher on events (watcher_id, seq desc);
create index events_change on events (change_id);
create index events_record on events (rid);

-- +goose StatementBegin
create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_events', account_id) from (select distinct account_id from fresh) f;
  return null;
end $$;
-- +goose StatementEnd
create trigger events_announced after insert on events referencing new table as fresh for each statement execute function announce_events();

-- ---------------------------------------------------------------- registrations, deliveries, attempts

create table webhooks (
  id              text collate "C" primary key,      -- wh_...
  account_id      text collate "C" not null references accounts,
  url             text not null,
  events          text[] not null check (cardinality(events) > 0 and events <@ '{booking,release,bond_change}'),
  payload_version smallint not null default 1 check (payload_version in (1, 2)),
  notices         text[] not null default '{}' check (notices <@ '{retraction,source_stale,sealed}'),
  paused          boolean not null default false,
  status          text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  failing_since   timestamptz,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null))
);
create index webhooks_account on webhooks (account_id, created_at desc, id desc) where deleted_at is null;

-- One secret an account, encrypted; next is set while it is being replaced.
create table webhook_secrets (
  account_id     text collate "C" primary key references accounts,
  current        bytea not null,
  next           bytea,
  rotating_since timestamptz,
  created_at     timestamptz not null,
  check ((next is null) = (rotating_since is null))
);

create table deliveries (
  id           text collate "C" primary key,         -- dlv_...
  account_id   text collate "C" not null references accounts,
  webhook_id   text collate "C" not null references webhooks,
  event_id     text collate "C" references events on delete cascade, -- null: a test delivery
  message_id   text collate "C" not null,            -- webhook-id: the event's, or that of a test
  watcher_id   text collate "C" references watchers,
  kind         text not null,
  body         bytea not null,                       -- serialised once
  match        jsonb,                                -- probability, level, reasons, for the headers
  state        text not null check (state in ('pending', 'failed', 'delivered', 'dropped')),
  reason       text,
  round        integer not null default 1,           -- 1 and one more for each redelivery
  attempts     integer not null default 0,           -- made, over all rounds
  failures     integer not null default 0,           -- of this round
  next_attempt timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  unique (event_id, webhook_id),
  check ((state in ('pending', 'failed')) = (next_attempt is not null)),
  check ((state = 'dropped') = (reason is not null))
);
create index deliveries_account on deliveries (account_id, created_at desc, id desc);
create index deliveries_account_state on deliveries (account_id, state, created_at desc, id desc);
create index deliveries_webhook on deliveries (webhook_id, created_at desc, id desc);
create index deliveries_webhook_state on deliveries (webhook_id, state, created_at desc, id desc);
create index deliveries_watcher on deliveries (watcher_id, created_at desc, id desc);
create index deliveries_due on deliveries (next_attempt) where state in ('pending', 'failed');
create index deliveries_watcher_open on deliveries (watcher_id) where state in ('pending', 'failed');
create index deliveries_webhook_open on deliveries (webhook_id, next_attempt) where state in ('pending', 'failed');

create table attempts (
  id          bigint generated always as identity primary key,
  delivery_id text collate "C" not null references deliveries on delete cascade,
  at          timestamptz not null,
  status      integer,                               -- null: no answer
  latency_ms  integer not null,
  class       text not null,
  answer      text,                                  -- first 1 KB
  error       text                                   -- null: delivered
);
create index attempts_delivery on attempts (delivery_id, id);

-- ---------------------------------------------------------------- requests

-- What a POST with an Idempotency-Key was answered; kept for 24 hours.
create table idempotency_keys (
  account_id text collate "C" not null references accounts,
  key        text collate "C" not null,
  request    bytea not null,                         -- SHA-256 of method, path and body
  status     integer,                                -- null: still being answered
  body       bytea,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Who looked at or changed what matters about alerts: secrets shown and rotated, replays.
create table alert_audit (
  id         bigint generated always as identity primary key,
  at         timestamptz not null,
  account_id text collate "C" not null references accounts,
  actor      text not null,                          -- a user, a key, or the command line's user
  action     text not null,
  subject    text not null default '',
  detail     jsonb not null default '{}'
);
create index alert_audit_account on alert_audit (account_id, id desc);
