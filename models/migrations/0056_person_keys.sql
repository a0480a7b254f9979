-- A person's number finds the other bookings of that person: whom one of them shows to be a juvenile, the others may be of.
-- +goose Up

create index sightings_person on sightings (source_id, person_key) where person_key is not null;
