-- What a source told last, under this key, of a booking that another source tells of too: a fingerprint each of the bond, the
-- charges, the release and the planned release; null where it alone tells of the booking, as that has what it told.
-- +goose Up

alter table sightings add column told text[];
