-- Photographs: what sources name, what is kept of it, and what was compared (docs/decisions/0027-photographs.md).
-- +goose Up

-- The hash of the picture that a claim brought. It goes with the claim: through merges, another key, and a number that
-- is used again. It is written after the run, never by a run.
alter table roster_claims add column photograph text collate "C" check (photograph ~ '^[0-9a-f]{64}$');
alter table court_claims add column photograph text collate "C" check (photograph is null); -- the three have one shape
alter table corrections_claims add column photograph text collate "C" check (photograph ~ '^[0-9a-f]{64}$');
create index roster_claims_photograph on roster_claims (photograph) where photograph is not null;
create index corrections_claims_photograph on corrections_claims (photograph) where photograph is not null;

-- What the newest row under a key names as its photograph, and how far it was brought.
create table photographs (
  family    text not null check (family in ('roster', 'corrections')),
  source_id text not null references sources on delete cascade,
  key       text collate "C" not null,
  -- SHA-256 of what the row names: another one is another picture
  reference bytea not null check (length(reference) = 32),
  -- an address, or a file of the drop; null: it came in the document
  address   text,
  state     text not null check (state in ('wanted', 'kept', 'refused')),
  reason    text,                                          -- why it is refused or not brought, or what was mended
  hash      text collate "C",                              -- of the picture that is kept
  etag      text not null default '',                      -- of the newest answer, for the next request
  modified  text not null default '',
  tries     smallint not null default 0,                   -- that failed one after the other
  due_at    timestamptz,                                   -- when it is asked for next; null: not at all
  noted_at  timestamptz not null,
  primary key (family, source_id, key),
  check ((state = 'refused') <= (reason is not null)),
  check ((state = 'kept') = (hash is not null))
);
create index photographs_due on photographs (source_id, due_at) where due_at is not null;
create index photographs_hash on photographs (hash) where hash is not null;

-- The pictures that are kept, by their hash. One that many people have is a placeholder: it is shown for nobody, and
-- its row stays so that it is recognised.
create table photograph_files (
  hash         text collate "C" primary key check (hash ~ '^[0-9a-f]{64}$'),
  width        integer not null check (width > 0),
  height       integer not null check (height > 0),
  small_width  integer not null check (small_width > 0),
  small_height integer not null check (small_height > 0),
  placeholder  boolean not null default false,
  taken_at     timestamptz not null                        -- when it was brought last
);

-- Up to which run the photographs of a source were noted.
create table photograph_runs (
  source_id text primary key references sources on delete cascade,
  run_id    bigint not null
);

-- What people asked to have removed, by when it must be done (O.C.G.A. 10-1-393.5), and what became of it. A record
-- with one that was not declined has no photograph, from the moment it is noted.
create table photograph_removals (
  id         bigint generated always as identity primary key,
  family     text not null check (family in ('roster', 'corrections')),
  record     bigint not null,
  public_id  text collate "C" not null,                    -- as it was when it was noted
  asked_at   timestamptz not null,
  due_at     timestamptz not null,
  note       text not null default '',
  actor      text not null,
  state      text not null default 'open' check (state in ('open', 'removed', 'declined')),
  decided_at timestamptz,
  decided_by text,
  check ((state = 'open') = (decided_at is null))
);
create index photograph_removals_record on photograph_removals (family, record) where state <> 'declined';

-- Comparisons of a booking's photograph with that of its corrections record. Never a descriptor.
create table photograph_checks (
  id          bigint generated always as identity primary key,
  rid         bigint not null references bookings on delete cascade,
  cid         bigint not null references corrections_records on delete cascade,
  booking     text collate "C" not null,                   -- the hashes of the two pictures
  corrections text collate "C" not null,
  model       text not null,
  state       text not null check (state in ('match', 'inconclusive', 'no_match')),
  band        text not null,                               -- of the distance, such as 0.40-0.45; or why there is none
  checked_at  timestamptz not null,
  unique (rid, cid, booking, corrections, model)
);
create index photograph_checks_record on photograph_checks (cid);
create index gdc_links_match on gdc_links (rid) where mugshot_match;

-- The pictures that claims have.
create view claim_photographs as
select 'roster' as family, source_id, key, stay, photograph as hash from roster_claims where photograph is not null
union all
select 'corrections', source_id, key, stay, photograph from corrections_claims where photograph is not null;

-- ---------------------------------------------------------------- what callers see

-- The photographs of published bookings: of several sources several.
create view published_photographs as
select b.rid, b.id as public_id, c.source_id, c.said_at, f.hash, f.width, f.height, f.small_width, f.small_height,
  f.taken_at
from published_bookings b
join roster_claims c on c.record = b.rid and c.photograph is not null
join photograph_files f on f.hash = c.photograph and not f.placeholder
where not exists (
  select from photograph_removals x where x.family = 'roster' and x.record = b.rid and x.state <> 'declined');

-- Pairs whose photographs may be compared: the booking and the record are published, and names and births link them.
create view comparable_photographs as
select l.rid, l.cid, b.hash as booking, f.hash as corrections
from gdc_links l
join published_photographs b on b.rid = l.rid
join published_corrections o on o.cid = l.cid
join corrections_claims c on c.record = o.cid and c.photograph is not null
join photograph_files f on f.hash = c.photograph and not f.placeholder
where l.confidence in ('high', 'medium');
