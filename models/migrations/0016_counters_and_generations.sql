-- History, generations and totals. Triggers keep the totals and the keys of deleted records, so they are exact
-- whoever writes.
-- +goose Up

-- ---------------------------------------------------------------- generations

-- The number of the last change of each family. A transaction that changes a family locks its row first, so that
-- generations commit in order and readers can follow changes by number. links covers gdc_links and court_links.
create table generations (
  family    text primary key check (family in ('roster', 'courts', 'corrections', 'links')),
  gen       bigint not null default 0,
  forgotten bigint not null default 0                      -- tombstones up to this generation may be deleted
);
insert into generations (family) values ('roster'), ('courts'), ('corrections'), ('links');

-- Notifies readers of each committed generation, such as "roster 17".
-- +goose StatementBegin
create function announce_generations() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_changes', family || ' ' || gen) from fresh;
  return null;
end $$;
-- +goose StatementEnd
create trigger generations_announced after update on generations referencing new table as fresh
  for each statement execute function announce_generations();

-- Keys of deleted records. Readers cannot see such a change in the record's own row.
create table gone_records (
  family text not null references generations,
  record bigint not null,                                  -- bookings.rid, court_cases.id or corrections_records.cid
  gen    bigint not null,
  primary key (family, gen, record)
);

-- Records that readers in memory drop: withheld, merged or deleted since a generation.
create view dropped_records as
select 'roster' as family, rid as record, gen from bookings where withheld is not null or merged_into is not null
union all
select 'courts', id, gen from court_cases where withheld is not null or merged_into is not null
union all
select 'corrections', cid, gen from corrections_records where withheld is not null or merged_into is not null
union all
select family, record, gen from gone_records;

-- Published records that went: withheld, merged into another one, or deleted. Callers who follow changes forget them
-- (models/mirror). A row that is not gone is of a record that was hidden and came back: whether somebody can have seen
-- a record in the generation is what its first row there says, so a record that one transaction shows and hides again
-- leaves no tombstone. Nor does one that the transaction brought: it changes at the instant at which it became known.
create table tombstones (
  family text not null references generations,
  gen    bigint not null,
  record bigint not null,                                  -- bookings.rid, court_cases.id or corrections_records.cid
  id     text collate "C" not null,                        -- as callers know it
  gone   boolean not null,
  at     timestamptz not null default now(),
  primary key (family, gen, record)
);

-- Notes that a record went or came back. The arguments are the family, the key column and the public id.
-- +goose StatementBegin
create function note_tombstone() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into tombstones (family, gen, record, id, gone)
     select %L, r.gen, r.%I, %s, r.withheld is not null or r.merged_into is not null from (select ($1).*) r
     on conflict do nothing', tg_argv[0], tg_argv[1], tg_argv[2]) using new;
  return null;
end $$;
-- +goose StatementEnd
create trigger bookings_tombstones after update on bookings for each row
  when (old.known_at is distinct from new.last_change
    and (old.withheld is null and old.merged_into is null) <> (new.withheld is null and new.merged_into is null))
  execute function note_tombstone('roster', 'rid', 'r.id');
create trigger court_cases_tombstones after update on court_cases for each row
  when (old.known_at is distinct from new.last_change
    and (old.withheld is null and old.merged_into is null) <> (new.withheld is null and new.merged_into is null))
  execute function note_tombstone(
    'courts', 'id', '''case-'' || (select slug from counties where id = r.county_id) || ''-'' || r.id');
create trigger corrections_tombstones after update on corrections_records for each row
  when (old.known_at is distinct from new.last_change
    and (old.withheld is null and old.merged_into is null) <> (new.withheld is null and new.merged_into is null))
  execute function note_tombstone('corrections', 'cid', '''gdc-'' || r.gdc_id');

-- Notes deleted records. The arguments are those of note_tombstone. It raises the generation itself, so that a deletion
-- by a cascade or by hand is a change too.
-- +goose StatementBegin
create function bury_records() returns trigger language plpgsql as $$
declare g bigint;
begin
  if not exists (select from stale) then return null; end if;
  update generations set gen = gen + 1 where family = tg_argv[0] returning gen into g;
  execute format(
    'insert into gone_records (family, record, gen) select %L, %I, %L from stale', tg_argv[0], tg_argv[1], g);
  execute format(
    'insert into tombstones (family, gen, record, id, gone)
     select %L, %L, r.%I, %s, true from stale r where r.withheld is null and r.merged_into is null',
    tg_argv[0], g, tg_argv[1], tg_argv[2]);
  return null;
end $$;
-- +goose StatementEnd
create trigger bookings_buried after delete on bookings referencing old table as stale
  for each statement execute function bury_records('roster', 'rid', 'r.id');
create trigger court_cases_buried after delete on court_cases referencing old table as stale
  for each statement execute function bury_records(
    'courts', 'id', '''case-'' || (select slug from counties where id = r.county_id) || ''-'' || r.id');
create trigger corrections_buried after delete on corrections_records referencing old table as stale
  for each statement execute function bury_records('corrections', 'cid', '''gdc-'' || r.gdc_id');

-- ---------------------------------------------------------------- history

-- A version: one published field that changed. The first version of a record is its first_seen. Of what is written many
-- thousand rows at once, only the run is looked up; its source is that of the version.
create table record_changes (
  id        bigint generated always as identity primary key,
  family    text not null check (family in ('roster', 'courts', 'corrections')),
  record    bigint not null,                               -- bookings.rid, court_cases.id or corrections_records.cid
  at        timestamptz not null,                          -- when rollcall applied the change
  source_id text not null,
  run_id    bigint references runs,                        -- null: an operator's decision
  field     text not null,
  before    text,
  after     text
);
create index record_changes_record on record_changes (family, record, at, id);

-- Versions of records that callers can reach. Which of them lie between published states is decided where they are
-- shown (models/record/history.go). A view for each family: PostgreSQL looks up the few versions of a record through
-- these, and not through a union.
create view reachable_booking_versions as
select v.* from record_changes v join reachable_bookings b on b.rid = v.record where v.family = 'roster';
create view reachable_case_versions as
select v.* from record_changes v join reachable_cases c on c.id = v.record where v.family = 'courts';
create view reachable_corrections_versions as
select v.* from record_changes v join reachable_corrections o on o.cid = v.record where v.family = 'corrections';

-- ---------------------------------------------------------------- totals

-- Totals without a name filter are sums over these few rows. They count published records only. The triggers write
-- rows in the order of their keys, so that transactions do not deadlock.

create table roster_totals (
  county_id smallint not null,                             -- 0: all counties
  status    text not null,
  n         bigint not null,
  primary key (county_id, status)
);

create table roster_days (
  county_id smallint not null,                             -- 0: all counties
  status    text not null,
  day       date not null,                                 -- local day of the booking
  n         bigint not null,
  primary key (county_id, status, day)
);

-- Keeps the totals of bookings. An update adds only what it changes of them, and most change nothing.
-- +goose StatementBegin
create function count_bookings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into roster_days as d (county_id, status, day, n)
      select coalesce(county_id, 0), status, day, count(*)
      from (
        select county_id, status, georgia_clock(booked_at)::date as day
        from fresh
        where withheld is null and merged_into is null
      ) b
      group by grouping sets ((county_id, status, day), (status, day)) order by 1, 2, 3
      on conflict (county_id, status, day) do update set n = d.n + excluded.n;
    insert into roster_totals as t (county_id, status, n)
      select coalesce(county_id, 0), status, count(*) from fresh where withheld is null and merged_into is null
      group by grouping sets ((county_id, status), (status)) order by 1, 2
      on conflict (county_id, status) do update set n = t.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into roster_days as d (county_id, status, day, n)
      select coalesce(county_id, 0), status, day, -count(*)
      from (
        select county_id, status, georgia_clock(booked_at)::date as day
        from stale
        where withheld is null and merged_into is null
      ) b
      group by grouping sets ((county_id, status, day), (status, day)) order by 1, 2, 3
      on conflict (county_id, status, day) do update set n = d.n + excluded.n;
    insert into roster_totals as t (county_id, status, n)
      select coalesce(county_id, 0), status, -count(*) from stale where withheld is null and merged_into is null
      group by grouping sets ((county_id, status), (status)) order by 1, 2
      on conflict (county_id, status) do update set n = t.n + excluded.n;
  else
    insert into roster_days as d (county_id, status, day, n)
      select coalesce(county_id, 0), status, day, sum(n)
      from (
        select county_id, status, georgia_clock(booked_at)::date as day, 1 as n
        from fresh
        where withheld is null and merged_into is null
        union all
        select county_id, status, georgia_clock(booked_at)::date, -1
        from stale
        where withheld is null and merged_into is null
      ) b
      group by grouping sets ((county_id, status, day), (status, day)) having sum(n) <> 0 order by 1, 2, 3
      on conflict (county_id, status, day) do update set n = d.n + excluded.n;
    insert into roster_totals as t (county_id, status, n)
      select coalesce(county_id, 0), status, sum(n)
      from (
        select county_id, status, 1 as n
        from fresh
        where withheld is null and merged_into is null
        union all
        select county_id, status, -1
        from stale
        where withheld is null and merged_into is null
      ) b
      group by grouping sets ((county_id, status), (status)) having sum(n) <> 0 order by 1, 2
      on conflict (county_id, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger bookings_counted_insert after insert on bookings referencing new table as fresh
  for each statement execute function count_bookings();
create trigger bookings_counted_update after update on bookings referencing old table as stale new table as fresh
  for each statement execute function count_bookings();
create trigger bookings_counted_delete after delete on bookings referencing old table as stale
  for each statement execute function count_bookings();

create table court_totals (
  county_id  smallint not null,
  court_type text not null,
  status     text not null,
  n          bigint not null,
  primary key (county_id, court_type, status)
);

-- +goose StatementBegin
create function count_court_cases() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into court_totals as t (county_id, court_type, status, n)
      select county_id, court_type, status, count(*)
      from fresh
      where withheld is null and merged_into is null
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (county_id, court_type, status) do update set n = t.n + excluded.n;
  end if;
  if tg_op <> 'INSERT' then
    insert into court_totals as t (county_id, court_type, status, n)
      select county_id, court_type, status, -count(*)
      from stale
      where withheld is null and merged_into is null
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (county_id, court_type, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger court_cases_counted_insert after insert on court_cases referencing new table as fresh
  for each statement execute function count_court_cases();
create trigger court_cases_counted_update after update on court_cases referencing old table as stale new table as fresh
  for each statement execute function count_court_cases();
create trigger court_cases_counted_delete after delete on court_cases referencing old table as stale
  for each statement execute function count_court_cases();

create table corrections_totals (
  category text not null,
  status   text not null,
  n        bigint not null,
  primary key (category, status)
);

-- +goose StatementBegin
create function count_corrections() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into corrections_totals as t (category, status, n)
      select category, status, count(*)
      from fresh
      where withheld is null and merged_into is null
      group by 1, 2 order by 1, 2
      on conflict (category, status) do update set n = t.n + excluded.n;
  end if;
  if tg_op <> 'INSERT' then
    insert into corrections_totals as t (category, status, n)
      select category, status, -count(*)
      from stale
      where withheld is null and merged_into is null
      group by 1, 2 order by 1, 2
      on conflict (category, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger corrections_counted_insert after insert on corrections_records referencing new table as fresh
  for each statement execute function count_corrections();
create trigger corrections_counted_update after update on corrections_records
  referencing old table as stale new table as fresh
  for each statement execute function count_corrections();
create trigger corrections_counted_delete after delete on corrections_records referencing old table as stale
  for each statement execute function count_corrections();
