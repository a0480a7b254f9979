-- Court cases: what a run reads of those that are stored. What it makes of their parts is in package resolve/court
-- (CLAIMS.md, rules 53 to 58).

-- name: court_places
-- Returns the cases with some numbers. A removal that names no party (*) concerns the case of each party (CLAIMS.md,
-- rule 54). The number of a merged case leads to the case that stayed (CLAIMS.md, rule 61).
select c.county_id, c.court_type, c.case_number, c.party, c.id, coalesce(c.merged_into, c.id),
  (select m.merged_at from merges m where m.family = 'courts' and m.gone = c.id), c.defendant, c.dob
from unnest(
  @counties::smallint[], @courts::text[], @numbers::text[], @parties::text[]
) k (county, court, number, party)
join court_cases c on c.county_id = k.county
  and c.court_type = k.court
  and c.case_number = k.number collate "C"
  and k.party in (c.party, '*')

-- name: court_ids
-- Takes keys for new cases.
select nextval(pg_get_serial_sequence('court_cases', 'id'))
from generate_series(1, @n::int)

-- name: cases
-- Returns cases without their parts.
select id, county_id, court_type, case_number, party, source_id, defendant, dob, coalesce(birth_year, 0),
  coalesce(booking_key, ''), offense, filed_date, filed_inferred, coalesce(bail_cents, 0), status,
  coalesce(status_text, ''), coalesce(judge, ''), coalesce(hearing_link, ''), withheld, because_booking,
  withheld_since, merged_into is not null, last_seen
from court_cases
where id = any(@records::bigint[])

-- name: case_charges
-- Returns the charges of cases in their order. The first one is the offense of a case that names none (CLAIMS.md,
-- rule 57).
select case_id, seq, description, coalesce(statute, ''), coalesce(severity, ''), coalesce(disposition, ''),
  offense_date, arrest_date, disposition_date
from case_charges
where case_id = any(@records::bigint[])
order by case_id, seq

-- name: case_hearings
-- Returns the hearings of cases in the order of their dates. Go knows no infinite instant, so a hearing without a
-- snapshot counts as older than all.
select case_id, event, date, coalesce(time, ''), starts_at, coalesce(kind, ''), coalesce(judge, ''),
  coalesce(location, ''), coalesce(link, ''), cancelled, greatest(snapshot_at, '0001-01-01')
from hearings
where case_id = any(@records::bigint[])
order by case_id, starts_at, event

-- name: case_dispositions
-- Returns the dispositions of cases in their order.
select case_id, seq, date, outcome, coalesce(sentence, '')
from dispositions
where case_id = any(@records::bigint[])
order by case_id, seq

-- name: court_claims_waiting
-- Returns the pending claims of all sources under some keys. A part may come before its case, and from another source
-- than the case (CLAIMS.md, rule 12).
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint,
  c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed, coalesce(c.person_key, ''),
  coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0),
  c.photograph is not null
from court_claims c
where c.key = any(@keys::text[]) and c.record is null
order by c.source_id, c.key

-- name: count_pending
-- Counts the rows of the snapshot whose claims are pending (CLAIMS.md, rule 12). A removal for every party (*) is not
-- one of them: it applies to each party that comes (CLAIMS.md, rule 54).
select count(*)
from incoming i
join court_claims c on c.source_id = @source and c.key = i.key and c.stay = 0
where c.record is null and split_part(c.key, '/', 3) <> '*'

-- name: doubled_cases
-- Counts the people of whom the snapshot reports cases under new numbers with a day of filing, and those of them whom
-- the source has a case of that day already, under a number that the snapshot lacks (CLAIMS.md, rule 18). Only days
-- before @settled count there: citations of one stop come in several files. Each person is looked up alone (offset 0),
-- in the index of this order.
with came as (
  select distinct i.county_id, i.name_key, (i.booked_at at time zone 'UTC')::date as filed
  from incoming i
  where i.name_key is not null
    and i.booked_at is not null
    and not exists (
      select from court_claims c where c.source_id = @source and c.key = i.key and c.stay = 0 and c.record is not null)
)
select count(*), count(d.id)
from came n
left join lateral (
  select k.id
  from (
    select id
    from court_cases
    where county_id = n.county_id
      and filed_date = n.filed
      and n.filed < @settled::date
      and withheld is null
      and merged_into is null
      and name_key = n.name_key
    offset 0
  ) k
  cross join lateral (select key from court_claims where record = k.id and source_id = @source offset 0) c
  where not exists (select from incoming i where i.key = c.key)
  limit 1
) d on true

-- name: open_cases
-- Counts the cases of a source that are not closed. The mass-change guard compares the snapshot with this count.
select count(distinct c.record)
from court_claims c
join court_cases k on k.id = c.record
where c.source_id = @source and k.status <> 'closed' and k.merged_into is null

-- name: facts_of_cases
-- Counts the cases that the snapshot reports and that the source knew before, and those of them with a stated day of
-- filing and with a year of birth, for the mass-change guard (CLAIMS.md, rule 19).
select count(*), count(*) filter (where not k.filed_inferred), count(k.birth_year)
from (select distinct key from incoming where name_key is not null) i
join court_claims c on c.source_id = @source and c.key = i.key and c.stay = 0 and c.how_at < @now
join court_cases k on k.id = c.record

-- name: lock_roster
-- Locks the roster for a run of the courts that may concern bookings. Both families are locked in one order, the
-- roster first, so that two runs cannot wait for each other (CLAIMS.md, rule 4). Rows of cases that name a booking are
-- staged with its number. Any part may change the day of filing of a case that states none, and so the age at it.
select
from generations
where family = 'roster'
  and (
    exists (select from bookings where because_case is not null)
    or exists (select from incoming where number is not null)
    or exists (select from court_cases where filed_inferred and booking_key is not null))
for update
