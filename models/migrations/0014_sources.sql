-- Sources, their runs, the raw documents of a run, and the rows that were rejected.
-- +goose Up

-- ---------------------------------------------------------------- sources

-- A source that was enabled or run at least once. Its document is YAML (package ingest).
create table sources (
  id               text collate "C" primary key,
  title            text not null,
  kind             text not null check (kind in ('roster', 'courts', 'corrections')),
  -- null: each row names its county, or the source is statewide
  county_id        smallint references counties,
  -- of a scope, one county of a source whose rows name theirs: that source
  parent           text collate "C" references sources on delete cascade,
  enabled          boolean not null default false,
  created_at       timestamptz not null default now(),

  -- Schedule.
  interval_seconds integer check (interval_seconds > 0),   -- how often it is asked; null: no schedule (dropped files)
  data_seconds     integer check (data_seconds > 0),       -- how often it has newer data; null: no schedule
  -- since when its document promises complete snapshots; null: it does not
  whole_since      timestamptz,
  failures         integer not null default 0,             -- consecutive runs that failed or were refused
  not_before       timestamptz,                            -- the schedule skips the source until then

  -- State.
  last_attempt     timestamptz,
  last_success     timestamptz,
  last_complete    timestamptz,                            -- snapshot time of the last complete snapshot
  -- when its rows were last applied; null: the next run is the baseline
  last_applied     timestamptz,
  data_at          timestamptz,                            -- newest instant that its data describes
  held_since       timestamptz,
  refused_since    timestamptz,
  -- since when it reports no more, by an operator's word; null: it goes on. Ends with its next snapshot
  retired_at       timestamptz,
  note             text,                                   -- why it is held, refused or failing; no personal data

  -- What resolving custody must know of every source that reports a booking.
  imports          boolean not null default false,         -- a takeover: any other source knows better
  absence_releases boolean not null default false,         -- absence from its complete snapshots means a release
  -- a booking of longer ago leaves its list without a release; 0: no window
  window_days      integer not null default 0,

  -- What the next snapshot is compared with.
  last_rows        integer,                                -- rows of the last complete snapshot
  header_fingerprint text,                                 -- fingerprint of the header
  -- field names that its rows ever had, for sources without a header
  keys             text[],
  -- how many rows of the last complete snapshot filled each field
  reported         jsonb,

  -- The hold.
  -- runs.id of the snapshot that began it; null: an operator did, or there is none
  held_run         bigint,
  released_run     bigint                                  -- runs.id of the held snapshot that was released last
);

create index sources_parent on sources (parent) where parent is not null;

-- The counties that a source has reported. The staleness of a county is that of its sources.
create table source_counties (
  source_id text not null references sources on delete cascade,
  county_id smallint not null references counties,
  primary key (source_id, county_id)
);
create index source_counties_county on source_counties (county_id);

-- When a host may be asked next. All sources of a host share it, on all replicas.
create table host_turns (
  host    text collate "C" primary key,
  next_at timestamptz not null
);

-- ---------------------------------------------------------------- runs

create table runs (
  id          bigint generated always as identity primary key,
  source_id   text not null references sources,
  state       text not null check (state in ('running', 'ok', 'partial', 'held', 'refused', 'failed')),
  started_at  timestamptz not null,
  finished_at timestamptz,
  snapshot_at timestamptz,                                 -- instant that the data describes
  complete    boolean not null default false,              -- proven complete: whoever is absent from it may be released
  -- files of the snapshot; fewer than before: it is still being copied
  documents   integer,
  -- SHA-256 in hex over those of its documents: two snapshots of the same bytes confirm nothing
  content     text collate "C",
  -- an operator looked at the held snapshot and released it: it confirms by itself that people are gone
  released    boolean not null default false,
  replay_of   bigint references runs on delete set null,   -- the run whose raw documents this one reads again
  -- of a scope: the run of its source, which read the documents
  part_of     bigint references runs on delete cascade,
  report      jsonb not null default '{}',
  error       text
);
create index runs_source on runs (source_id, id desc);
create index runs_parts on runs (part_of) where part_of is not null;
create index runs_running on runs (source_id) where state = 'running';
create index runs_held on runs (source_id) where state = 'held';
create index runs_complete on runs (source_id, snapshot_at) where complete;
create index runs_replays on runs (replay_of) where replay_of is not null;

-- Files of a folder, an SFTP server or a bucket that were read.
create table source_files (
  source_id text not null references sources on delete cascade,
  name      text collate "C" not null,
  mark      text not null,                                 -- changes when the file is written again
  run_id    bigint references runs on delete set null,     -- the run that read it
  taken_at  timestamptz not null,
  primary key (source_id, name)
);

-- What raw documents hold, compressed with zstd and encrypted with AES-GCM. Only operators read it. The same bytes of
-- a source are kept once for all runs that read them, and deleted with the last archive that refers to them.
create table archive_contents (
  id          bigint generated always as identity primary key,
  source_id   text not null references sources on delete cascade,
  digest      bytea not null check (length(digest) = 32),  -- keyed: without the key it reveals nothing of the document
  stored      bigint,                                      -- encrypted bytes; null while they are being written
  unique (source_id, digest)
);

create table archive_chunks (
  content_id bigint not null references archive_contents on delete cascade,
  seq        integer not null,
  encrypted  bytea not null,                               -- encrypted bytes
  primary key (content_id, seq)
);

-- The raw documents of a run.
create table archives (
  id          bigint generated always as identity primary key,
  run_id      bigint not null references runs on delete cascade,
  seq         integer not null,
  name        text not null,
  content_id  bigint not null references archive_contents,
  bytes       bigint not null,                             -- of the plain document
  fetched_at  timestamptz not null,
  observed_at timestamptz not null,                        -- instant that the document describes
  expires_at  timestamptz not null,
  unique (run_id, seq)
);
create index archives_content on archives (content_id);
create index archives_expiry on archives (expires_at);

-- ---------------------------------------------------------------- quarantine

-- A row that could not be applied. A bad row that comes again is kept once: run_id, line, encrypted and expires_at are
-- those of the last time.
create table quarantine (
  id            bigint generated always as identity primary key,
  run_id        bigint not null references runs on delete cascade,
  source_id     text not null references sources,
  county_id     smallint references counties,              -- null: the row does not say, or is of no county
  line          bigint not null,
  field         text not null default '',
  reason        text not null,
  encrypted     bytea not null,                            -- the raw row, encrypted
  fingerprint   bytea,                                     -- keyed hash of field, reason and raw row
  times         integer not null default 1,                -- how often it came
  at            timestamptz not null,                      -- the first time
  last_at       timestamptz not null,
  expires_at    timestamptz not null,
  resolved_at   timestamptz
);
create index quarantine_source on quarantine (source_id, id desc) where resolved_at is null;
create index quarantine_run on quarantine (run_id) where resolved_at is null;
create index quarantine_expiry on quarantine (expires_at);
create unique index quarantine_fingerprint on quarantine (source_id, fingerprint)
  where resolved_at is null and fingerprint is not null;

-- The runs whose raw documents somebody still needs: those of held snapshots, those that wait to be read after a
-- release, and those with rows in quarantine. A replay needs the documents of the run that it repeats, and the run of a
-- scope those of its source.
create view needed_runs as
with recursive needed (id) as (
  select held_run from sources where held_run is not null
  union
  select run_id from quarantine where resolved_at is null
  union
  select r.id
  from runs r
  join sources s on s.id = r.source_id
  where r.state = 'held'
    and (r.report->>'standing')::boolean
    and r.replay_of is null
    and s.whole_since is null
    and not exists (select from runs x where x.replay_of = r.id and x.state in ('ok', 'partial'))
  union
  select up.id
  from needed n
  join runs r on r.id = n.id
  cross join lateral (values (r.part_of), (r.replay_of)) up (id)
  where up.id is not null
)
select id from needed;

-- ---------------------------------------------------------------- incidents

-- What operators say of the service on its status page, which anybody reads: no text may name a person.
create table incidents (
  id       text collate "C" primary key,                   -- inc_...
  title    text not null check (title <> ''),
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at)        -- null: it goes on
);
create index incidents_began on incidents (began_at desc, id desc);

create table incident_updates (
  id          bigint generated always as identity primary key,
  incident_id text collate "C" not null references incidents,
  at          timestamptz not null,
  text        text not null check (text <> '')
);
create index incident_updates_incident on incident_updates (incident_id, id);
