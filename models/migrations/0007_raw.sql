-- What replaying, retention and back-off need: raw documents know the instant that they speak of, the
-- same bad row is kept once, and a source that fails is asked less often.
-- +goose Up

alter table archives add observed_at timestamptz;
update archives set observed_at = fetched_at;
alter table archives alter observed_at set not null;

-- A run that reads the raw documents of an earlier one again.
alter table runs add replay_of bigint references runs on delete set null;
create index runs_running on runs (source_id) where state = 'running';

-- run_id, line, sealed and expires_at are those of the last time.
alter table quarantine add print bytea,             -- keyed hash of field, reason and raw row
  add times   integer not null default 1,           -- how often it came
  add last_at timestamptz;
update quarantine set last_at = at;
alter table quarantine alter last_at set not null;
create unique index quarantine_print on quarantine (source_id, print) where resolved_at is null and print is not null;
create index quarantine_run on quarantine (run_id) where resolved_at is null;

alter table sources add failures integer not null default 0, -- runs in a row that failed or were refused
  add not_before timestamptz;                       -- the schedule leaves the source alone until then

-- When a host may be asked next, so that all sources of one host, on all replicas, ask it in turn.
create table host_turns (
  host    text collate "C" primary key,
  next_at timestamptz not null
);
