-- A row that its source has not told before is looked for among the bookings of all sources: by county
-- and instant, never by reading the table.
-- +goose Up
drop index bookings_adopt;
create index bookings_adopt on bookings (county_id, booked_at);
