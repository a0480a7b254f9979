-- Since which complete file a corrections record is missing: it is hidden when a second one confirms it.
-- +goose Up
alter table corrections_records add missing_since timestamptz;
