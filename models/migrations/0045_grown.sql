-- Whether the source told an age, under this key, that was that of an adult: an age that can not be read later takes
-- nothing from it.
-- +goose Up

alter table sightings add column grown boolean not null default false;
