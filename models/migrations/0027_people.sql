-- The people of records (models.Gather, docs/decisions/0030-people.md).
-- +goose Up

-- Bookings of one birth date, which may be one person's.
create index bookings_born on bookings (dob, booked_at desc)
  where dob is not null and withheld is null and merged_into is null;
