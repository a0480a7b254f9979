-- Parts of court cases that came before their case: the quarantine knows which case a row waits for, so that it is
-- read again by itself when that case is told of.
-- +goose Up

alter table quarantine add awaits_county smallint references counties, -- with the next three: the case; null: the row waits for an operator
  add awaits_court  text,
  add awaits_number text collate "C",
  add awaits_party  text collate "C",               -- null: any party of the case
  add seen_at       timestamptz;                    -- the instant that the row speaks of
create index quarantine_awaits on quarantine (source_id) where resolved_at is null and awaits_number is not null;

-- Whether a hearing was taken back for all parties of its case, also for those that are told of later.
alter table removed_hearings add every_party boolean not null default false;

-- The replays of a run.
create index runs_replays on runs (replay_of) where replay_of is not null;
