-- Court cases.

-- name: court_places
-- The cases of some numbers. A removal that names no party (*) is one of every party. A number that went in a merge
-- leads to the case that stayed.
select c.county_id, c.court_type, c.case_number, c.party, coalesce(c.merged_into, c.id), c.merged_into is not null, c.defendant, c.dob
 from unnest(@counties::smallint[], @courts::text[], @numbers::text[], @parties::text[]) k (county, court, number, party)
 join court_cases c on c.county_id = k.county and c.court_type = k.court and c.case_number = k.number collate "C" and k.party in (c.party, '*')

-- name: court_ids
select nextval(pg_get_serial_sequence('court_cases', 'id')) from generate_series(1, @n::int)

-- name: cases
select id, county_id, court_type, case_number, party, source_id, defendant, dob, coalesce(birth_year, 0), coalesce(booking_key, ''), offense, filed_date,
  status, coalesce(status_text, ''), coalesce(judge, ''), coalesce(hearing_link, ''), withheld, sealed_by, withheld_since, merged_into is not null, last_seen
 from court_cases where id = any(@records::bigint[])

-- name: case_charges
select case_id, seq, description, coalesce(statute, ''), coalesce(severity, ''), coalesce(disposition, '')
 from case_charges where case_id = any(@records::bigint[]) order by case_id, seq

-- name: case_hearings
select case_id, event, date, coalesce(time, ''), starts_at, coalesce(kind, ''), coalesce(judge, ''), coalesce(location, ''), coalesce(link, ''), cancelled, greatest(snapshot_at, '0001-01-01')
 from hearings where case_id = any(@records::bigint[]) order by case_id, starts_at, event

-- name: case_dispositions
select case_id, seq, date, outcome, coalesce(sentence, '') from dispositions where case_id = any(@records::bigint[]) order by case_id, seq

-- name: court_claims_waiting
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint, c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed,
  coalesce(c.person_key, ''), coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0)
 from court_claims c where c.key = any(@keys::text[]) and c.record is null order by c.source_id, c.key

-- name: count_pending
-- Rows whose claims no case is known of. A removal for every party (*) waits for nothing: it counts for the parties that come.
select count(*) from incoming i join court_claims c on c.source_id = @source and c.key = i.key and c.stay = 0
 where c.record is null and split_part(c.key, '/', 3) <> '*'

-- name: create_written_cases
create temp table if not exists written_court_cases (
  id bigint, source_id text, defendant text, name_key text, dob date, birth_year smallint, booking_key text, offense text, filed_date date, status text, status_text text,
  judge text, hearing_link text, withheld withheld_reason, sealed_by bigint, withheld_since timestamptz, last_seen timestamptz, changed boolean) on commit delete rows

-- name: create_written_hearings
create temp table if not exists written_hearings (
  case_id bigint, event text collate "C", date date, time text, starts_at timestamptz, kind text, judge text, location text, link text, cancelled boolean, snapshot_at timestamptz) on commit delete rows

-- name: create_written_dispositions
create temp table if not exists written_dispositions (case_id bigint, seq smallint, date date, outcome text, sentence text) on commit delete rows

-- name: create_written_charges
create temp table if not exists written_case_charges (case_id bigint, seq integer, description text, statute text, severity text, disposition text) on commit delete rows

-- name: clear_written_cases
truncate written_court_cases, written_hearings, written_dispositions, written_case_charges

-- name: write_cases
-- A case that was only reported again is no change.
update court_cases c set source_id = w.source_id, defendant = w.defendant, name_key = w.name_key, dob = w.dob, birth_year = w.birth_year, booking_key = w.booking_key, offense = w.offense,
  filed_date = w.filed_date, status = w.status, status_text = w.status_text, judge = w.judge, hearing_link = w.hearing_link, withheld = w.withheld, sealed_by = w.sealed_by,
  withheld_since = w.withheld_since, snapshot_at = greatest(c.snapshot_at, w.last_seen), last_seen = greatest(c.last_seen, w.last_seen),
  last_change = case when w.changed then @now else c.last_change end, gen = case when w.changed then @gen else c.gen end
 from written_court_cases w where w.id = c.id

-- name: write_hearings
with gone as (
  delete from hearings h using written_court_cases c where h.case_id = c.id and not exists (select from written_hearings w where w.case_id = h.case_id and w.event = h.event))
insert into hearings as h (case_id, event, date, time, starts_at, kind, judge, location, link, cancelled, snapshot_at)
 select case_id, event, date, time, starts_at, kind, judge, location, link, cancelled, snapshot_at from written_hearings order by case_id, starts_at
on conflict (case_id, event) do update set date = excluded.date, time = excluded.time, starts_at = excluded.starts_at, kind = excluded.kind, judge = excluded.judge,
  location = excluded.location, link = excluded.link, cancelled = excluded.cancelled, snapshot_at = excluded.snapshot_at
 where (h.date, h.time, h.starts_at, h.kind, h.judge, h.location, h.link, h.cancelled, h.snapshot_at)
  is distinct from (excluded.date, excluded.time, excluded.starts_at, excluded.kind, excluded.judge, excluded.location, excluded.link, excluded.cancelled, excluded.snapshot_at)

-- name: write_dispositions
with gone as (
  delete from dispositions d using written_court_cases c where d.case_id = c.id and not exists (select from written_dispositions w where w.case_id = d.case_id and w.seq = d.seq))
insert into dispositions as d (case_id, seq, date, outcome, sentence) select case_id, seq, date, outcome, sentence from written_dispositions
on conflict (case_id, seq) do update set date = excluded.date, outcome = excluded.outcome, sentence = excluded.sentence
 where (d.date, d.outcome, d.sentence) is distinct from (excluded.date, excluded.outcome, excluded.sentence)

-- name: write_charges
with gone as (
  delete from case_charges x using written_court_cases c where x.case_id = c.id and not exists (select from written_case_charges w where w.case_id = x.case_id and w.seq = x.seq))
insert into case_charges as x (case_id, seq, description, statute, severity, disposition) select case_id, seq, description, statute, severity, disposition from written_case_charges
on conflict (case_id, seq) do update set description = excluded.description, statute = excluded.statute, severity = excluded.severity, disposition = excluded.disposition
 where (x.description, x.statute, x.severity, x.disposition) is distinct from (excluded.description, excluded.statute, excluded.severity, excluded.disposition)

-- name: case_causes
-- The bookings on whose account cases are withheld: those of juveniles that a case names by number (booking), or that more
-- than a guess links to it, unless an operator said that it is not of that booking. A link goes when its booking is
-- withheld, so a case stays withheld on account of its booking while it names no other.
with cases as materialized (
  select * from unnest(@records::bigint[], @counties::smallint[], @courts::text[], @numbers::text[], @parties::text[], @bookings::text[]) c (id, county, court, number, party, booking)),
 hidden as materialized (
  select b.rid, b.id, b.county_id, b.withheld_since from bookings b
   where b.withheld in ('juvenile', 'maybe juvenile') and b.merged_into is null and b.county_id in (select county from cases)),
 found as (
  select c.id, h.rid, 'number' as rule from hidden h join roster_claims n on n.record = h.rid and n.number is not null join cases c on c.county = h.county_id and c.booking = n.number
  union all
  select c.id, l.rid, 'link' from cases c cross join lateral (select * from court_links where case_id = c.id offset 0) l where l.pinned or l.confidence <> 'low'
  union all
  select c.id, k.sealed_by, 'known' from cases c join court_cases k on k.id = c.id and k.sealed_by is not null
   where c.booking = coalesce(booking_number(k.booking_key), ''))
select distinct on (f.id, f.rid) f.id, f.rid, f.rule, greatest(h.withheld_since, (select max(v.at) from record_changes v where v.family = 'roster' and v.record = h.rid and v.field = 'withheld'), '0001-01-01')
 from found f join cases c on c.id = f.id join hidden h on h.rid = f.rid
 where not exists (select from court_verdicts v where v.county_id = c.county and v.court_type = c.court and v.case_number = c.number collate "C" and v.party = c.party collate "C"
  and v.verdict = 'dismissed' and v.family = 'roster' and v.person = h.id)
 order by f.id, f.rid, f.rule

-- name: cases_of_bookings
-- The cases that speak of some bookings: by number, by a link, or as they did before.
select c.id from bookings b join roster_claims n on n.record = b.rid and n.number is not null
 join court_cases c on c.county_id = b.county_id and c.booking_key is not null and booking_number(c.booking_key) = n.number where b.rid = any(@bookings::bigint[]) and c.merged_into is null
union
select l.case_id from court_links l where l.rid = any(@bookings::bigint[]) and (l.pinned or l.confidence <> 'low')
union
select id from court_cases where sealed_by = any(@bookings::bigint[])

-- name: lock_roster
-- Who writes bookings and cases takes the roster first: so do courts whose cases may concern bookings. Rows of such cases
-- are staged with the number of the booking.
select from generations where family = 'roster'
 and (exists (select from bookings where sealed_case is not null) or exists (select from incoming where number is not null)) for update
