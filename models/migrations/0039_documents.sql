-- Of how many files the snapshot of a run consists: one of fewer than before is still being copied.
-- +goose Up
alter table runs add column documents integer;
update runs r set documents = a.n from (select run_id, count(*) as n from archives group by run_id) a where a.run_id = coalesce(r.replay_of, r.id) and r.snapshot_at is not null;
