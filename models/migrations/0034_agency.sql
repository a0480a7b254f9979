-- The law-enforcement agency that the jail's list names for a booking (docs/decisions/0039-agency.md). Claims hold it
-- in their facts, and the history of a booking has its changes.
-- +goose Up

alter table bookings add column agency text;                -- as the list writes it; null: it names none

-- Apostrophes part no words, as in a query (match.Fold): SHERIFF'S is found by "sheriff's" and by "sheriffs".
-- +goose StatementBegin
create or replace function charge_words(texts text[]) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple', regexp_replace(
    translate(array_to_string(texts, ' '), '''`´ʼ‘’', ''), '[^[:alnum:]]+', ' ', 'g'))
$$;
-- +goose StatementEnd
reindex index bookings_charge_words;
reindex index booking_charges_statute;

-- Bookings by words of their agency, as by words of their charges.
create index bookings_agency_words on bookings using gin (charge_words(array[agency]))
  where agency is not null and withheld is null and merged_into is null;

-- The views show it as they show any other fact: it goes with the booking. A view that is replaced keeps its columns
-- in their order, so the new one stands last.
create or replace view published_bookings as
select * from bookings where withheld is null and merged_into is null;
create or replace view reachable_bookings as
select b.rid, b.id, b.county_id, b.source_id, b.name, b.name_key, b.dob, b.birth_year, b.booked_at, b.released_at,
  b.status, b.release_inferred, b.release_after, b.planned_release, b.charges, b.bond_cents, b.has_photo, b.imported,
  b.withheld, b.because_booking, b.because_case, b.withheld_since, b.merged_into, b.first_seen, b.last_seen, b.known_at,
  b.last_change, b.gen, b.id as public_id, b.agency
from bookings b
where b.withheld is null
  and (b.merged_into is null or (select k.withheld is null from bookings k where k.rid = b.merged_into));
