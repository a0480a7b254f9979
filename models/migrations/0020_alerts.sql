-- Alerts: watchers, changes of records, and the hits and events that come of both.
-- +goose Up

-- ---------------------------------------------------------------- watchers

create sequence watcher_revs;

-- A person whom an account watches for. A watcher is marked as deleted and never removed, so that its events stay
-- explained.
create table watchers (
  id         text collate "C" primary key,                 -- alrt_...
  account_id text collate "C" not null references accounts,
  name       text not null check (name <> ''),
  dob        date,
  birth_year smallint,
  age        smallint check (age between 1 and 120),       -- on age_on
  age_on     date check ((age_on is null) = (age is null)),
  county_id  smallint references counties,                 -- null: all counties
  events     text[] not null check (cardinality(events) > 0 and events <@ '{booking,release,bond_change}'),
  level      text not null default 'normal' check (level in ('strict', 'normal', 'wide')),
  label      text,
  note       text,
  paused     boolean not null default false,
  created_at timestamptz not null,
  deleted_at timestamptz,
  rev        bigint not null,                              -- revision of its last change; revisions commit in order
  since_rev  bigint not null                               -- revision since which it watches for this person, unpaused
);
create index watchers_account on watchers (account_id, created_at desc, id desc) where deleted_at is null;
create index watchers_county on watchers (county_id, account_id) where deleted_at is null;
create index watchers_label on watchers (account_id, label, created_at desc, id desc)
  where deleted_at is null and label is not null;
create unique index watchers_rev on watchers (rev);

-- Totals and limits of an account.
create table alert_accounts (
  account_id text collate "C" primary key references accounts,
  watchers   bigint not null default 0,                    -- those that are not deleted
  flood_tat  timestamptz                                   -- theoretical arrival time of the next delivery (GCRA)
);

-- A transaction that changes watchers holds this lock until it commits. So a reader that has seen revision n has
-- seen all revisions before it.
create function lock_watchers() returns void language sql as 'select pg_advisory_xact_lock(1919904882)';
-- +goose StatementBegin
create function order_watchers() returns trigger language plpgsql as $$
begin
  perform lock_watchers();
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_ordered before insert or update on watchers
  for each statement execute function order_watchers();

-- +goose StatementBegin
create function number_watcher() returns trigger language plpgsql as $$
begin
  new.rev := nextval('watcher_revs');
  -- 0: the account is entitled to events again
  if tg_op = 'INSERT' or old.paused and not new.paused or new.since_rev = 0
    or (old.name, old.county_id, old.dob, old.birth_year, old.age, old.age_on)
      is distinct from (new.name, new.county_id, new.dob, new.birth_year, new.age, new.age_on)
  then new.since_rev := new.rev; end if;
  return new;
end $$;
-- +goose StatementEnd
create trigger watchers_numbered before insert or update on watchers
  for each row execute function number_watcher();

-- +goose StatementBegin
create function announce_watchers() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_watchers', '');
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_announced after insert or update on watchers
  for each statement execute function announce_watchers();

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
create trigger watchers_counted_insert after insert on watchers referencing new table as fresh
  for each statement execute function count_watchers();
create trigger watchers_counted_update after update on watchers referencing old table as stale new table as fresh
  for each statement execute function count_watchers();
create trigger watchers_counted_delete after delete on watchers referencing old table as stale
  for each statement execute function count_watchers();

-- ---------------------------------------------------------------- changes

-- One row for each transaction that changed something worth an event.
create table change_batches (
  id          bigint generated always as identity primary key,
  source_id   text collate "C" not null references sources,
  run_id      bigint references runs on delete set null,
  detected_at timestamptz not null,
  watcher_rev bigint not null                              -- the watchers up to this revision existed when it committed
);

-- The outbox: what happened, with the facts of the record at that moment. The transaction that changes the record
-- writes the row. The one that writes its events sets matched_at.
create table changes (
  id             bigint generated always as identity primary key,
  batch_id       bigint not null references change_batches,
  kind           text not null check (kind in (
    'booking', 'release', 'bond_change', 'retraction', 'sealed', 'source_stale', 'source_recovered')),
  detected_at    timestamptz not null,
  matched_at     timestamptz,
  retracts       bigint references changes on delete cascade, -- the release that a retraction takes back

  source_id      text collate "C" not null,                -- of the batch, which references it
  -- null: a change of a source; record_id to bond_cents too
  rid            bigint references bookings on delete cascade,
  record_id      text collate "C",                         -- bookings.id
  county_id      smallint,                                 -- of the booking, which references it
  name           text,
  dob            date,
  birth_year     smallint,
  booked_at      timestamptz,
  released_at    timestamptz,
  charges        text[],
  bond_cents     bigint,
  old_bond_cents bigint,                                   -- of a bond_change: the bond before; null: none was set

  -- The person before, if the change corrects who it is: watchers that matched then were notified or came too late.
  old_name       text,
  old_dob        date,
  old_birth_year smallint,
  -- Something happened to the person besides the correction: watchers that match either name are notified.
  either         boolean not null default false,

  check (
    kind in ('source_stale', 'source_recovered')
    or (rid is not null and record_id is not null and county_id is not null and name is not null
      and booked_at is not null and charges is not null)
  ),
  check ((kind = 'retraction') = (retracts is not null))
);
create unique index changes_once on changes (rid, kind, batch_id);
create unique index changes_source_once on changes (source_id, kind, batch_id) where rid is null;
create unique index changes_retracted_once on changes (retracts);
create index changes_open on changes (id) where matched_at is null;
create index changes_batch on changes (batch_id);

-- ---------------------------------------------------------------- hits

-- A booking that a watcher matches: one row for each watcher and booking, whatever happens to the booking.
create table hits (
  id          text collate "C" primary key,                -- hit_...
  account_id  text collate "C" not null references accounts,
  watcher_id  text collate "C" not null references watchers,
  rid         bigint not null references bookings on delete cascade,
  probability real not null check (probability between 0 and 1),
  reasons     text[] not null,
  at          timestamptz not null,
  feedback    text check (feedback in ('confirm', 'dismiss', 'unsure')), -- feedback of the account
  feedback_at timestamptz,
  unique (watcher_id, rid)
);
create index hits_watcher on hits (watcher_id, at desc, id desc);
create index hits_record on hits (rid);

-- Whom a watcher does not match any more: the booking of the hit and all bookings of the same person; or, with a
-- spelling, everybody whose name is written so.
create table dismissals (
  hit_id     text collate "C" primary key references hits on delete cascade,
  watcher_id text collate "C" not null references watchers,
  rid        bigint not null references bookings on delete cascade,
  -- The folded words of the name when it was dismissed, sorted; null: the person is dismissed.
  spelling   text collate "C",
  at         timestamptz not null
);
create index dismissals_watcher on dismissals (watcher_id);
create index dismissals_record on dismissals (rid);

-- ---------------------------------------------------------------- events

create sequence event_seqs;

create table events (
  id          text collate "C" primary key,                -- evt_...; the webhook-id of all its deliveries
  -- ascends in the order of commits: a reader that follows it misses none
  seq         bigint not null unique default nextval('event_seqs'),
  account_id  text collate "C" not null references accounts,
  kind        text not null,
  change_id   bigint not null references changes on delete cascade,
  watcher_id  text collate "C" references watchers,        -- null: a notice about a source
  rid         bigint references bookings on delete cascade,
  hit_id      text collate "C" references hits on delete cascade,
  retracts    text collate "C" references events on delete cascade, -- the event that this one takes back
  level       text,                                        -- of the watcher at that time
  probability real,
  reasons     text[],
  at          timestamptz not null,                        -- when the change was detected
  created_at  timestamptz not null
);
create unique index events_once on events (watcher_id, change_id) where watcher_id is not null;
create unique index events_notice_once on events (account_id, change_id) where watcher_id is null;
-- One booking event for a booking, also if its name is corrected later.
create unique index events_booked_once on events (watcher_id, rid) where kind = 'booking';
create index events_account on events (account_id, seq);
create index events_watcher on events (watcher_id, seq desc);
create index events_change on events (change_id);
create index events_record on events (rid);
create index events_hit on events (hit_id) where hit_id is not null;
create index events_retracts on events (retracts) where retracts is not null;

-- +goose StatementBegin
create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_events', account_id) from (select distinct account_id from fresh) f;
  return null;
end $$;
-- +goose StatementEnd
create trigger events_announced after insert on events referencing new table as fresh
  for each statement execute function announce_events();

-- ---------------------------------------------------------------- what may be shown

-- Events of bookings that are published. Notices about sources are not among them.
create view published_events as
select e.*
from events e
join published_bookings b on b.rid = e.rid;

-- Hits on bookings that are published, as accounts see them.
create view published_hits as
select h.*,
  b.id as record_id,
  -- Whether the watcher and the record both have a date or year of birth; a watcher's age says its year.
  (w.dob is not null or w.birth_year is not null or w.age is not null)
    and (b.dob is not null or b.birth_year is not null) as born_compared,
  -- What its dismissal covers; null: it is not dismissed.
  (select case when d.spelling is null then 'person' else 'spelling' end
   from dismissals d
   where d.hit_id = h.id) as scope
from hits h
join published_bookings b on b.rid = h.rid
join watchers w on w.id = h.watcher_id;
