-- The bookings that can be a ground to withhold others, found by county and day without reading all.
-- +goose Up

create index bookings_grounds on bookings (county_id, booked_at) where withheld in ('juvenile', 'maybe juvenile') and sealed_by is null;
