-- An operator's release of a held source lets its next snapshot do to people what would be held. The number of
-- rows that the shrink guard forgets is not known of sources that tell only what changed.
-- +goose Up
alter table sources add column waived boolean not null default false;
