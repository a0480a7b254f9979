-- Claims: what each source says of a record under each of its keys. A record is what the claims attached to it
-- resolve to (package resolve); identity is which claims are attached to it, and has a history (claim_moves).
-- CLAIMS.md, section 3.2, has the design.
-- +goose Up

-- Facts, since and evidence are read by Go alone, as they were written (json): published tables have typed columns. The
-- three tables differ in the records that they are attached to; each has its own statistics. The source is that of a
-- run and the county that of a record, which reference them: a look-up for each of a million rows would take a fifth of
-- a first load.
create table roster_claims (
  source_id     text not null,
  key           text collate "C" not null,
  stay          smallint not null default 0,               -- 0: what the key means now; n: its nth earlier meaning
  record        bigint references bookings on delete cascade, -- null: pending, no source has reported the booking
  county_id     smallint,
  how           text not null check (how in ('own', 'matched', 'rekeyed', 'merged')),
  how_at        timestamptz not null,
  fingerprint   bytea not null,                            -- of the newest row; empty: read the next one anyway
  first_at      timestamptz not null,                      -- instant of the first row
  said_at       timestamptz not null,                      -- instant of the newest row
  present       boolean not null,
  missing_since timestamptz,
  misses        smallint not null default 0,
  disputed      boolean not null default false,            -- disagrees about custody: each run looks at it
  person_key    text collate "C",
  number        text collate "C",
  facts         json not null,
  since         json,
  evidence      json,
  run_id        bigint,
  primary key (source_id, key, stay)
) with (fillfactor = 85);
create table court_claims (
  like roster_claims including defaults including constraints,
  primary key (source_id, key, stay),
  foreign key (record) references court_cases on delete cascade
) with (fillfactor = 85);
create table corrections_claims (
  like roster_claims including defaults including constraints,
  primary key (source_id, key, stay),
  foreign key (record) references corrections_records on delete cascade
) with (fillfactor = 85);

create index roster_claims_record on roster_claims (record);
create index court_claims_record on court_claims (record);
create index corrections_claims_record on corrections_claims (record);
-- Present claims that a complete snapshot lacks, claims that each run looks at, and claims without a record, begin
-- here.
create index roster_claims_present on roster_claims (source_id, key) where present;
create index corrections_claims_present on corrections_claims (source_id, key) where present;
create index roster_claims_disputed on roster_claims (source_id) where disputed;
create index roster_claims_person on roster_claims (source_id, person_key) where person_key is not null;
create index roster_claims_number on roster_claims (number) where number is not null;
create index court_claims_number on court_claims (number) where number is not null;
create index roster_claims_pending on roster_claims (source_id) where record is null;
create index court_claims_pending on court_claims (source_id) where record is null;

-- Parts of cases that no source has reported, and releases whose bookings none has: they take effect when the case or
-- booking comes. A removal for every party of a case (*) has no case of its own and waits for none.
create view pending_claims as
select 'roster' as family, source_id, key, said_at from roster_claims where record is null
union all
select 'courts', source_id, key, said_at from court_claims where record is null and split_part(key, '/', 3) <> '*';

-- Keys that were found to be one booking, which a snapshot may list beside each other.
create index roster_claims_rekeyed on roster_claims (source_id, record) where how = 'rekeyed';

-- When a source showed a claim last. A present claim that did not change is not written again: its source's newest
-- complete snapshot has shown it.
create function last_shown(present boolean, misses smallint, said_at timestamptz, last_complete timestamptz)
  returns timestamptz language sql immutable parallel safe
  return case when present and misses = 0 then greatest(said_at, last_complete) else said_at end;

-- When each source that reports a record showed it last. The source is looked up for each claim: a join would let
-- PostgreSQL, which knows little of a new source, begin with all that the source ever reported. Courts are not here:
-- they report changes only, so no complete snapshot shows their cases again.
create view claims_seen as
select 'roster' as family, c.record, c.source_id,
  (select last_shown(c.present, c.misses, c.said_at, s.last_complete) from sources s where s.id = c.source_id) as at
from roster_claims c
union all
select 'corrections', c.record, c.source_id,
  (select last_shown(c.present, c.misses, c.said_at, s.last_complete) from sources s where s.id = c.source_id)
from corrections_claims c;

-- The keys that sources of bookings use, and whom they say to be one person, as far as sources and alerts compare
-- them. What is read here is for no caller's eyes.
create view known_roster_claims as
select source_id, key, record, person_key
from roster_claims;

-- Which record a claim was attached to, when, and by which rule. An unmerge reads it.
create table claim_moves (
  id          bigint generated always as identity primary key,
  family      text not null,
  source_id   text not null references sources,
  key         text collate "C" not null,
  stay        smallint not null,
  at          timestamptz not null,
  from_record bigint,
  to_record   bigint,
  rule        text not null,
  actor       text,
  run_id      bigint,
  how         text,                                        -- of a merge: how the claim was attached to from_record,
  how_at      timestamptz,                                 -- when, and until when its source had said something of it
  merged      timestamptz                                  -- then, where another merge had brought it (since)
);
create index claim_moves_claim on claim_moves (family, source_id, key);
create index claim_moves_from on claim_moves (family, from_record) where rule = 'merge';

-- What operators decided: to publish or to withhold a record on a ground, or that two records are one.
create table decisions (
  id             bigint generated always as identity primary key,
  family         text not null check (family in ('roster', 'courts', 'corrections')),
  record         bigint not null,
  kind           text not null check (kind in ('publish', 'withhold', 'merge', 'unmerge')),
  reason         withheld_reason,                          -- the ground, with the record that it comes from
  because_family text,
  because        bigint,
  other          bigint,                                   -- merge, unmerge: the record merged or set free
  actor          text not null default '',
  note           text not null default '',
  decided_at     timestamptz not null,
  ended_at       timestamptz,
  check ((kind in ('publish', 'withhold')) = (reason is not null)),
  check ((kind in ('merge', 'unmerge')) = (other is not null))
);
create index decisions_record on decisions (family, record) where ended_at is null;
-- The merges in force: when, and directly into which record. Into which a record leads today is its merged_into.
create unique index decisions_merges on decisions (family, other) where kind = 'merge' and ended_at is null;
create view merges as
select family, other as gone, record as into_record, decided_at as merged_at
from decisions
where kind = 'merge' and ended_at is null;

-- The merged record that each claim came from, by a merge in force: of a chain of merges the first.
create view claim_origins as
select distinct on (v.family, v.source_id, v.key, v.stay) v.family, v.source_id, v.key, v.stay, v.from_record as gone
from claim_moves v
join merges m on m.family = v.family and m.gone = v.from_record
where v.rule = 'merge' and v.at >= m.merged_at
order by v.family, v.source_id, v.key, v.stay, v.id;
