-- What the rows of a source's last complete snapshot told of, by counts, so that a key that is gone is noticed
-- where there is no header.
-- +goose Up
alter table sources add column told jsonb;
