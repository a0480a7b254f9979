-- Which held run an operator cleared: his word is for the snapshot that he could look at, and for those that do no worse.
-- +goose Up
alter table sources add column waived_run bigint;
