-- What each source reported of a record, and what operators decided about records.
-- +goose Up

-- ---------------------------------------------------------------- claims of rosters

-- The claim of a source: what it reports of a booking under one of its keys. Several sources, and several keys of one
-- source, may describe one booking. A present claim that did not change is not written again: it was last seen at
-- sources.last_complete.
create table sightings (
  source_id     text not null references sources,
  booking_key   text collate "C" not null,
  rid           bigint not null references bookings on delete cascade,
  person_key    text collate "C",                          -- number of the person at the source
  locator       text,
  print         bytea not null,                            -- fingerprint of the normalised row
  snapshot_at   timestamptz not null,                      -- newest snapshot that changed the claim

  present       boolean not null default true,             -- the source still lists the key
  misses        smallint not null default 0,               -- consecutive complete snapshots without it
  missing_since timestamptz,                               -- the first of them

  joined        timestamptz,                               -- when the key was found to be re-keyed; null: the first key of the booking
  merged_at     timestamptz,                               -- when an operator's merge attached the key; null: the booking's own key

  -- Fingerprints of the last reported bond, charges, release and planned release, if another source reports the
  -- booking too. Empty: not known yet. Null: no other source does.
  told          text[],
  grown         boolean not null default false,            -- an age of an adult was reported; an unreadable one later does not undo it
  -- Evidence for a juvenile. flag: the juvenile flag alone; more: an age or birth too, never undone; no: the flag was
  -- taken back.
  sign          text check (sign in ('flag', 'more', 'no')),
  primary key (source_id, booking_key)
);
create index sightings_rid on sightings (rid);
-- The only keys that can become absent, however many bookings have ended.
create index sightings_present on sightings (source_id, booking_key) where present;
-- Other bookings of a person.
create index sightings_person on sightings (source_id, person_key) where person_key is not null;

-- The numbers that court cases may state for a booking: each key as a whole, and those of its parts that have four
-- characters or more.
create view booking_numbers as
  select g.rid, n.number
    from sightings g
   cross join lateral (
         select booking_number(g.booking_key) as number
          union
         select booking_number(part) from unnest(string_to_array(g.booking_key, '|')) part where length(btrim(part)) >= 4) n
   where n.number is not null;

-- ---------------------------------------------------------------- decisions of operators

-- Records that were merged. The id that went resolves to the record that stayed. The row that went stays in its
-- table, withheld as 'merged', so that references to it hold.
create table merged_records (
  family      text not null references generations,
  id          text collate "C" not null,                   -- public id that went
  gone        bigint not null,                             -- key of the record that went
  into_record bigint not null,                             -- key of the record it was merged into
  record      bigint not null,                             -- key of the record where later merges ended
  merged_at   timestamptz not null,
  primary key (family, id)
);
create index merged_records_record on merged_records (family, record);
create index merged_records_gone on merged_records (family, gone);

-- Reviews of withheld records. A row changes only when it ends, so the table is the audit trail.
create table reviews (
  id         bigint generated always as identity primary key,
  family     text not null check (family in ('roster', 'courts', 'corrections')),
  record     bigint not null,                              -- bookings.rid, court_cases.id or corrections_records.cid
  reason     text not null check (reason in ('maybe juvenile', 'vanished')),
  decision   text not null check (decision in ('lifted', 'kept')), -- published, or withheld for good
  actor      text not null,
  note       text not null,
  decided_at timestamptz not null,
  ended_at   timestamptz                                   -- decided again, or the source listed the record again
);
create unique index reviews_current on reviews (family, record, reason) where ended_at is null;
