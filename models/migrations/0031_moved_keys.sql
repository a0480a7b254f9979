-- A source writes a booking under another key than before, as a name or a minute was corrected: both keys lead
-- to it from then on. joined is when a key was found to be one of several, null of a key that is alone; of
-- those that are told together after all, the one that joined first keeps the booking.
-- +goose Up
alter table sightings add joined timestamptz;
