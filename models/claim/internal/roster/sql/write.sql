-- Bookings: what a run writes. Resolved bookings are copied into a temporary table, of which the published table takes
-- what differs (CLAIMS.md, section 3.5, step 10).

-- name: next_records
-- Takes keys for new bookings, in order.
select nextval((select pg_get_serial_sequence('bookings', 'rid')::regclass))
from generate_series(1, @n::int)

-- name: take_sequences
-- Takes numbers for public ids, by county and year of booking. Rows are taken in one order, so that two transactions
-- cannot wait for each other.
insert into roster_sequences as q (county_id, year, last)
select *
from unnest(@counties::smallint[], @years::smallint[], @counts::bigint[])
order by 1, 2
on conflict (county_id, year) do update
set last = q.last + excluded.last
returning county_id, year, last

-- name: county_slugs
-- Returns the names of counties in public ids.
select id, slug from counties

-- name: create_written_bookings
-- Makes the table of the bookings that were resolved.
create temp table if not exists written_bookings (
  rid bigint,
  source_id text,
  name text,
  name_key text collate "C",
  dob date,
  birth_year smallint,
  booked_at timestamptz,
  released_at timestamptz,
  release_inferred boolean,
  release_after timestamptz,
  planned_release timestamptz,
  charges text[],
  bond_cents bigint,
  agency text,
  has_photo boolean,
  withheld withheld_reason,
  because_booking bigint,
  because_case bigint,
  withheld_since timestamptz,
  first_seen timestamptz,
  last_seen timestamptz,
  changed boolean
) on commit delete rows

-- name: clear_written_bookings
-- Empties this table for the next chunk of the run.
truncate written_bookings

-- name: update_bookings
-- Updates the bookings that were resolved. A booking that was only reported again is no change: readers see no new
-- generation of it.
update bookings b
set source_id = w.source_id, imported = b.imported and b.source_id = w.source_id, name = w.name,
    name_key = w.name_key, dob = w.dob, birth_year = w.birth_year, booked_at = w.booked_at,
    released_at = w.released_at, release_inferred = w.release_inferred, release_after = w.release_after,
    planned_release = w.planned_release, charges = w.charges, bond_cents = w.bond_cents, agency = w.agency,
    has_photo = w.has_photo, withheld = w.withheld, because_booking = w.because_booking, because_case = w.because_case,
    withheld_since = w.withheld_since, first_seen = w.first_seen, last_seen = w.last_seen,
    last_change = case when w.changed then @now else b.last_change end,
    gen = case when w.changed then @gen else b.gen end
from written_bookings w
where w.rid = b.rid

-- name: clear_booking_charges
-- Deletes the charges of bookings before they are copied again.
delete from booking_charges where rid = any(@records::bigint[])

-- name: set_aside
-- Makes the claim of a key one of an earlier booking period, because the key names another booking now (CLAIMS.md,
-- rule 33). Its moves follow it: an unmerge finds by them the claims that a merge brought.
with kept as (
  update roster_claims
  set stay = @stay, present = false, disputed = false
  where source_id = @source and key = @key and stay = 0
  returning source_id, key, stay, record
),
followed as (
  update claim_moves m
  set stay = k.stay
  from kept k
  where m.family = @family and m.source_id = k.source_id and m.key = k.key and m.stay = 0
)
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, run_id)
select @family, source_id, key, stay, @now, record, record, 'used again', nullif(@run::bigint, 0)
from kept

-- name: note_split
-- Stores that a key was detached from a booking (CLAIMS.md, rule 35).
insert into claim_moves (family, source_id, key, stay, at, from_record, to_record, rule, run_id)
values (@family, @source, @key, 0, @now, @from, @to, 'split', nullif(@run::bigint, 0))

-- name: drop_repeated_ids
-- Deletes the rows of a takeover that repeat an id. The first one counts (CLAIMS.md, rule 51).
delete from incoming i using (select key, min(ord) as first from incoming group by key having count(*) > 1) r
where r.key = i.key and i.ord <> r.first

-- name: drop_known_ids
-- Deletes the rows of a takeover whose ids are known: any source knows better (CLAIMS.md, rule 51).
delete from incoming i using bookings b where b.id = i.key

-- name: raise_sequences
-- Raises the numbers of public ids above the highest that were taken over: those ids stay (CLAIMS.md, rule 51).
insert into roster_sequences as q (county_id, year, last)
select *
from unnest(@counties::smallint[], @years::smallint[], @counts::bigint[])
order by 1, 2
on conflict (county_id, year) do update
set last = greatest(q.last, excluded.last)

-- name: count_withheld
-- Counts the new bookings of this run that are withheld.
select count(*)
from bookings
where @first::bigint > 0 and rid >= @first and gen = @gen and withheld is not null
