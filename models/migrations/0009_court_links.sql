-- Links of court cases with bookings and corrections records, what operators decided of them, and how far
-- linking has come.
-- +goose Up

-- One row ties a case to a booking or to a corrections record; it is read from either end.
create table court_links (
  case_id     bigint not null references court_cases on delete cascade,
  rid         bigint references bookings on delete cascade,
  cid         bigint references corrections_records on delete cascade,
  confidence  text not null check (confidence in ('high', 'medium', 'low')),
  probability real not null check (probability between 0 and 1),
  reasons     text[] not null default '{}',
  origin      text not null check (origin in ('matched', 'operator')),
  pinned      boolean not null default false,        -- confirmed: a relink does not touch it
  linked_at   timestamptz not null,
  check (num_nonnulls(rid, cid) = 1),
  unique (case_id, rid)
);
create unique index court_links_record on court_links (case_id) where cid is not null; -- a defendant is one person
create index court_links_rid on court_links (rid) where rid is not null;
create index court_links_cid on court_links (cid) where cid is not null;

-- Verdicts by the names that outlive a new ingest: county, court, number and party of the case, and the
-- public id of the booking or record.
create table court_verdicts (
  county_id   smallint not null,
  court_type  text not null,
  case_number text collate "C" not null,
  party       text collate "C" not null,
  family      text not null check (family in ('roster', 'corrections')),
  person      text collate "C" not null,
  verdict     text not null check (verdict in ('confirmed', 'dismissed')),
  decided_at  timestamptz not null,
  seq         bigserial not null,
  primary key (county_id, court_type, case_number, party, family, person)
);
create unique index court_verdicts_confirmed on court_verdicts (county_id, court_type, case_number, party) where verdict = 'confirmed' and family = 'corrections';
create index court_verdicts_seq on court_verdicts (seq);

alter table link_progress add column courts_gen bigint not null default 0, add column court_verdict bigint not null default 0;
update link_progress set unfinished = true;          -- cases have no links yet: the next run looks at everything
