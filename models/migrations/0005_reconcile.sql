-- What bringing snapshots into the tables needs: small functions, and the keys that may go missing.
-- +goose Up

-- The absences of a snapshot are looked for among these only, however many bookings are over.
create index sightings_present on sightings (source_id, booking_key) where present;

-- An instant as history writes it: RFC 3339 in UTC.
create function instant(t timestamptz) returns text language sql immutable strict parallel safe
  return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- The words of a folded name in order of the alphabet, to compare names that are written in another order.
create function sorted_words(name_key text) returns text language sql immutable strict parallel safe
  return (select string_agg(w, ' ' order by w collate "C") from unnest(string_to_array(name_key, ' ')) w);

-- The sequence part of a record id: six digits, more when they are needed.
create function record_number(n bigint) returns text language sql immutable strict parallel safe
  return lpad(n::text, greatest(6, length(n::text)), '0');

-- When each part of a case was last told, so that a late delta never takes back a newer one.
alter table hearings add snapshot_at timestamptz not null default '-infinity';
alter table case_charges add snapshot_at timestamptz not null default '-infinity';

-- Hearings that a court took back: a late record of one must not bring it to life again.
create table removed_hearings (
  case_id     bigint not null references court_cases on delete cascade,
  event       text collate "C" not null,
  snapshot_at timestamptz not null,
  primary key (case_id, event)
);
