-- What lists of bookings are narrowed by beside name, county, status and day: charges, bond, birth and release;
-- and cases by a part of their number.
-- +goose Up

-- The words of charges or statutes, for prefix searches: letters and digits only, without stemming. The body is as
-- immutable as this says: the arrays hold texts, whose output does not depend on settings.
-- +goose StatementBegin
create function charge_words(texts text[]) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple', regexp_replace(array_to_string(texts, ' '), '[^[:alnum:]]+', ' ', 'g'))
$$;
-- +goose StatementEnd

-- The severity of a charge in one word, from how a jail writes it (models.Severity); null: another, or none.
-- +goose StatementBegin
create function charge_severity(severity text) returns text language sql immutable parallel safe as $$
  select case when severity ~* '^\s*(f\M|fel)' then 'felony' when severity ~* '^\s*(m\M|misd)' then 'misdemeanor' end
$$;
-- +goose StatementEnd

create index bookings_charge_words on bookings using gin (charge_words(charges))
  where withheld is null and merged_into is null;
create index bookings_bond on bookings (bond_cents)
  where bond_cents is not null and withheld is null and merged_into is null;
create index bookings_birth_year on bookings (coalesce(birth_year, extract(year from dob)))
  where withheld is null and merged_into is null;
create index bookings_released_at on bookings (released_at)
  where released_at is not null and withheld is null and merged_into is null;
create index booking_charges_statute on booking_charges using gin (charge_words(array[statute]))
  where statute is not null;
create index booking_charges_severity on booking_charges (charge_severity(severity), rid)
  where severity is not null;

-- Any part of a case number.
create index court_cases_number_part on court_cases using gin (case_number gin_trgm_ops);

-- Which bookings have a charge of a statute or a severity, whatever their visibility: lists of published bookings ask
-- it, and show nothing of it.
create view charges_to_find as
select rid, statute, severity from booking_charges;

-- Searches that people come back to. They are a person's own.
create table saved_searches (
  id         text collate "C" primary key,
  user_id    text not null references users on delete cascade,
  name       text not null check (name <> ''),
  query      text not null check (query <> ''),            -- parameters of the address of the search
  created_at timestamptz not null,
  unique (user_id, name)
);
