-- Linkage of bookings with corrections records: how far it has come, what it knew then, and what
-- operators decided.
-- +goose Up

-- One row. Whoever writes links or verdicts locks it first.
create table link_progress (
  one             boolean primary key default true check (one),
  roster_gen      bigint not null default 0,         -- generations whose changes are linked
  corrections_gen bigint not null default 0,
  verdict         bigint not null default 0,         -- link_verdicts.seq that is reckoned with
  population      bigint not null default 0,         -- of records, as chance agreement was reckoned with
  unfinished      boolean not null default true      -- no run yet, or one was cut off: the next looks at everything
);
insert into link_progress default values;

-- The published corrections records as the last run knew them, so that it is known which bookings a
-- change concerns. No reference: a record that was deleted is missed here. Emptied of a withheld one by
-- the next run.
create table linked_records (
  cid    bigint primary key,
  gdc_id text collate "C" not null,
  name   text not null,
  born   text not null                               -- YYYY-MM-DD, YYYY or empty
);

-- What operators decided, by the ids that outlive a new ingest.
create table link_verdicts (
  roster_id  text collate "C" not null,
  gdc_id     text collate "C" not null,
  verdict    text not null check (verdict in ('confirmed', 'dismissed')),
  decided_at timestamptz not null,
  seq        bigserial not null,
  primary key (roster_id, gdc_id)
);
create unique index link_verdicts_confirmed on link_verdicts (roster_id) where verdict = 'confirmed';
create index link_verdicts_seq on link_verdicts (seq);
