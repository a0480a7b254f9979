-- A booking that may be that of a juvenile whom another source or a court tells of is withheld with it: on
-- whose account.
-- +goose Up

alter table bookings add column sealed_by bigint references bookings on delete set null,
  add column sealed_case bigint references court_cases on delete set null;
create index bookings_sealed on bookings (sealed_by) where sealed_by is not null;
create index bookings_sealed_case on bookings (sealed_case) where sealed_case is not null;

-- A case tells of somebody who was under 17 on that day, or may have been where only the year is known.
-- +goose StatementBegin
create function minor_on(day date, dob date, birth_year smallint) returns boolean language sql immutable parallel safe as $$
  select coalesce(dob > day - interval '17 years', extract(year from day) - birth_year < 18, false)
$$;
-- +goose StatementEnd
