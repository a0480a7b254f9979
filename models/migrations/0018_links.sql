-- Links between bookings, court cases and corrections records, the decisions of operators about them, and how far
-- linking has come. Decisions use public ids, which outlive a new ingest.
-- +goose Up

-- ---------------------------------------------------------------- bookings and corrections records

-- At most one corrections record for a booking.
create table gdc_links (
  rid           bigint primary key references bookings on delete cascade,
  cid           bigint not null references corrections_records on delete cascade,
  confidence    text not null check (confidence in ('high', 'medium', 'low')),
  probability   real not null check (probability between 0 and 1),
  reasons       text[] not null default '{}',
  mugshot_match boolean not null default false,
  origin        text not null check (origin in ('imported', 'matched', 'operator')),
  pinned        boolean not null default false,            -- confirmed by an operator: linking does not change it
  linked_at     timestamptz not null
);
create index gdc_links_cid on gdc_links (cid);

create table link_decisions (
  roster_id  text collate "C" not null,                    -- bookings.id
  gdc_id     text collate "C" not null,
  decision   text not null check (decision in ('confirmed', 'dismissed')),
  decided_at timestamptz not null,
  seq        bigserial not null,                           -- order of decisions, see link_progress.decision
  primary key (roster_id, gdc_id)
);
create unique index link_decisions_confirmed on link_decisions (roster_id) where decision = 'confirmed';
create index link_decisions_seq on link_decisions (seq);

-- ---------------------------------------------------------------- court cases

-- A case and either a booking or a corrections record.
create table court_links (
  case_id     bigint not null references court_cases on delete cascade,
  rid         bigint references bookings on delete cascade,
  cid         bigint references corrections_records on delete cascade,
  confidence  text not null check (confidence in ('high', 'medium', 'low')),
  probability real not null check (probability between 0 and 1),
  reasons     text[] not null default '{}',
  origin      text not null check (origin in ('matched', 'operator')),
  pinned      boolean not null default false,              -- confirmed by an operator: linking does not change it
  linked_at   timestamptz not null,
  check (num_nonnulls(rid, cid) = 1),
  unique (case_id, rid)
);
create unique index court_links_record on court_links (case_id) where cid is not null; -- a defendant is one person
create index court_links_rid on court_links (rid) where rid is not null;
create index court_links_cid on court_links (cid) where cid is not null;

create table court_link_decisions (
  county_id   smallint not null,
  court_type  text not null,
  case_number text collate "C" not null,
  party       text collate "C" not null,
  family      text not null check (family in ('roster', 'corrections')),
  person      text collate "C" not null,                   -- bookings.id or corrections_records.gdc_id
  decision    text not null check (decision in ('confirmed', 'dismissed')),
  decided_at  timestamptz not null,
  seq         bigserial not null,                          -- order of decisions, see link_progress.court_decision
  primary key (county_id, court_type, case_number, party, family, person)
);
create unique index court_link_decisions_confirmed on court_link_decisions (county_id, court_type, case_number, party)
  where decision = 'confirmed' and family = 'corrections';
create index court_link_decisions_seq on court_link_decisions (seq);

-- ---------------------------------------------------------------- merges

-- The links of merged records as they were, which an unmerge puts back.
create table merged_links (
  family  text not null check (family in ('roster', 'courts', 'corrections')),
  gone    bigint not null,                                 -- the merged record, one of the ends
  rid     bigint,
  cid     bigint,
  case_id bigint,                                          -- null: a link of gdc_links
  shared  boolean not null,                                -- the record that stayed was linked with the same other end
  link    jsonb not null                                   -- the row
);
create index merged_links_gone on merged_links (family, gone);

-- ---------------------------------------------------------------- generation

-- Raises the generation of links, so that cached answers that show a link expire.
-- +goose StatementBegin
create function count_link_change() returns trigger language plpgsql as $$
begin
  update generations set gen = gen + 1 where family = 'links';
  return null;
end $$;
-- +goose StatementEnd
create trigger gdc_links_counted after insert or update or delete on gdc_links
  for each statement execute function count_link_change();
create trigger court_links_counted after insert or update or delete on court_links
  for each statement execute function count_link_change();

-- ---------------------------------------------------------------- progress

-- One row. A transaction that writes links or verdicts locks it first.
create table link_progress (
  one             boolean primary key default true check (one),
  roster_gen      bigint not null default 0,               -- generations whose changes are linked
  corrections_gen bigint not null default 0,
  courts_gen      bigint not null default 0,
  decision        bigint not null default 0,               -- link_decisions.seq up to which decisions are applied
  court_decision  bigint not null default 0,               -- court_link_decisions.seq up to which decisions are applied
  population      bigint not null default 0,               -- number of records from which chance agreement was computed
  -- no run yet, or one was interrupted: the next run links everything
  unfinished      boolean not null default true
);
insert into link_progress default values;

-- The published corrections records as the last run saw them. A run compares them with the present ones to find the
-- bookings that a change concerns. There is no reference: a deleted record is noticed here.
create table linked_records (
  cid    bigint primary key,
  gdc_id text collate "C" not null,
  name   text not null,
  born   text not null                                     -- YYYY-MM-DD, YYYY or empty
);

-- ---------------------------------------------------------------- what callers and matching see

-- Links of which both ends are published. The corrections record of known_status has a status that /v1 can state.
create view published_links as
select l.*, o.gdc_id, o.status <> 'unknown' as known_status
from gdc_links l
join published_bookings b on b.rid = l.rid
join published_corrections o on o.cid = l.cid;

-- booked_at and roster_id are those of the booking, if the link is to one.
create view published_court_links as
select l.*, b.booked_at, b.id as roster_id
from court_links l
join published_cases c on c.id = l.case_id
left join published_bookings b on b.rid = l.rid
left join published_corrections o on o.cid = l.cid
where num_nonnulls(b.rid, o.cid) = 1;

-- Cases and bookings as matching compares them, with the people whom operators ruled out. Births are written as
-- YYYY-MM-DD, YYYY or nothing. Withheld ones are among them, because an operator may ask about a pair; only published
-- ones are linked. Fifty charges are enough to compare.
create view cases_to_link as
select c.id as key, c.county_id as county, c.defendant as name,
  coalesce(to_char(c.dob, 'YYYY-MM-DD'), c.birth_year::text, '') as born, coalesce(c.booking_key, '') as booking,
  array(
    select c.offense where c.offense <> ''
    union all (
      select concat_ws(' ', k.statute, k.description)
      from case_charges k
      where k.case_id = c.id
      order by k.seq
      limit 50)
  ) as offenses,
  array(
    select v.person from court_link_decisions v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.family = 'roster' and v.decision = 'dismissed'
  ) as dismissed_roster,
  array(
    select v.person from court_link_decisions v
    where (v.county_id, v.court_type, v.case_number, v.party) = (c.county_id, c.court_type, c.case_number, c.party)
      and v.family = 'corrections' and v.decision = 'dismissed'
  ) as dismissed_gdc,
  c.withheld is null and c.merged_into is null as published
from court_cases c;

-- Of the corrections record of a booking only a published one counts.
create view stays_to_link as
select b.rid, b.id, b.name, coalesce(to_char(b.dob, 'YYYY-MM-DD'), b.birth_year::text, '') as born,
  b.charges || array(
    select concat_ws(' ', k.statute, k.description) from booking_charges k
    where k.rid = b.rid and k.statute is not null
    order by k.seq limit 50
  ) as charges,
  array(select c.number from roster_claims c where c.record = b.rid and c.number is not null) as numbers,
  o.gdc_id,
  case when o.gdc_id is not null then coalesce(to_char(o.dob, 'YYYY-MM-DD'), o.birth_year::text, '') end as gdc_born,
  case when o.gdc_id is not null then l.confidence end as gdc_confidence,
  b.withheld is null and b.merged_into is null as published
from bookings b
left join gdc_links l on l.rid = b.rid
left join published_corrections o on o.cid = l.cid;
