-- Whether the source of a merged corrections record lists, in its newest complete file, no more than the id that went:
-- then that id gives its facts, also in files that prove nobody's absence.
-- +goose Up

alter table merged_records add column leads boolean not null default false;
