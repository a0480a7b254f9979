-- Court cases: what a run writes. Resolved cases are copied into temporary tables, of which the published tables take
-- what differs (CLAIMS.md, section 3.5, step 10).

-- name: create_written_cases
-- Makes the table of the cases that were resolved.
create temp table if not exists written_court_cases (
  id bigint,
  source_id text,
  defendant text,
  name_key text,
  dob date,
  birth_year smallint,
  booking_key text,
  offense text,
  filed_date date,
  filed_inferred boolean,
  bail_cents bigint,
  status text,
  status_text text,
  judge text,
  hearing_link text,
  withheld withheld_reason,
  because_booking bigint,
  withheld_since timestamptz,
  last_seen timestamptz,
  changed boolean
) on commit delete rows

-- name: create_written_hearings
-- Makes the table of their hearings.
create temp table if not exists written_hearings (
  case_id bigint,
  event text collate "C",
  date date,
  time text,
  starts_at timestamptz,
  kind text,
  judge text,
  location text,
  link text,
  cancelled boolean,
  snapshot_at timestamptz
) on commit delete rows

-- name: create_written_dispositions
-- Makes the table of their dispositions.
create temp table if not exists written_dispositions (
  case_id bigint,
  seq smallint,
  date date,
  outcome text,
  sentence text
) on commit delete rows

-- name: create_written_charges
-- Makes the table of their charges.
create temp table if not exists written_case_charges (
  case_id bigint,
  seq integer,
  description text,
  statute text,
  severity text,
  disposition text,
  offense_date date,
  arrest_date date,
  disposition_date date
) on commit delete rows

-- name: clear_written_cases
-- Empties these tables for the next chunk of the run.
truncate written_court_cases, written_hearings, written_dispositions, written_case_charges

-- name: write_cases
-- Updates the cases that were resolved. A case that was only reported again is no change: readers see no new
-- generation of it (CLAIMS.md, rule 52).
update court_cases c
set source_id = w.source_id, defendant = w.defendant, name_key = w.name_key, dob = w.dob, birth_year = w.birth_year,
    booking_key = w.booking_key, offense = w.offense, filed_date = w.filed_date,
    filed_inferred = w.filed_inferred, bail_cents = w.bail_cents, status = w.status,
    status_text = w.status_text, judge = w.judge, hearing_link = w.hearing_link, withheld = w.withheld,
    because_booking = w.because_booking, withheld_since = w.withheld_since,
    snapshot_at = greatest(c.snapshot_at, w.last_seen), last_seen = greatest(c.last_seen, w.last_seen),
    last_change = case when w.changed then @now else c.last_change end,
    gen = case when w.changed then @gen else c.gen end
from written_court_cases w
where w.id = c.id

-- name: write_hearings
-- Makes the hearings of these cases what was resolved. A hearing is known by its stable id (event), and one that is as
-- it was is not written (CLAIMS.md, rule 55).
with gone as (
  delete from hearings h
  using written_court_cases c
  where h.case_id = c.id
    and not exists (select from written_hearings w where w.case_id = h.case_id and w.event = h.event)
)
insert into hearings as h (case_id, event, date, time, starts_at, kind, judge, location, link, cancelled, snapshot_at)
select case_id, event, date, time, starts_at, kind, judge, location, link, cancelled, snapshot_at
from written_hearings
order by case_id, starts_at
on conflict (case_id, event) do update
set date = excluded.date, time = excluded.time, starts_at = excluded.starts_at, kind = excluded.kind,
    judge = excluded.judge, location = excluded.location, link = excluded.link, cancelled = excluded.cancelled,
    snapshot_at = excluded.snapshot_at
where (h.date, h.time, h.starts_at, h.kind, h.judge, h.location, h.link, h.cancelled, h.snapshot_at) is distinct from (
  excluded.date, excluded.time, excluded.starts_at, excluded.kind, excluded.judge, excluded.location, excluded.link,
  excluded.cancelled, excluded.snapshot_at)

-- name: write_dispositions
-- Makes the dispositions of these cases what was resolved. The list is replaced as a whole (CLAIMS.md, rule 58).
with gone as (
  delete from dispositions d
  using written_court_cases c
  where d.case_id = c.id
    and not exists (select from written_dispositions w where w.case_id = d.case_id and w.seq = d.seq)
)
insert into dispositions as d (case_id, seq, date, outcome, sentence)
select case_id, seq, date, outcome, sentence
from written_dispositions
on conflict (case_id, seq) do update
set date = excluded.date, outcome = excluded.outcome, sentence = excluded.sentence
where (d.date, d.outcome, d.sentence) is distinct from (excluded.date, excluded.outcome, excluded.sentence)

-- name: write_charges
-- Makes the charges of these cases what was resolved. The list is replaced as a whole, as that of dispositions.
with gone as (
  delete from case_charges x
  using written_court_cases c
  where x.case_id = c.id
    and not exists (select from written_case_charges w where w.case_id = x.case_id and w.seq = x.seq)
)
insert into case_charges as x (
  case_id, seq, description, statute, severity, disposition, offense_date, arrest_date, disposition_date)
select case_id, seq, description, statute, severity, disposition, offense_date, arrest_date, disposition_date
from written_case_charges
on conflict (case_id, seq) do update
set description = excluded.description, statute = excluded.statute, severity = excluded.severity,
    disposition = excluded.disposition, offense_date = excluded.offense_date, arrest_date = excluded.arrest_date,
    disposition_date = excluded.disposition_date
where (x.description, x.statute, x.severity, x.disposition, x.offense_date, x.arrest_date, x.disposition_date)
  is distinct from (
    excluded.description, excluded.statute, excluded.severity, excluded.disposition, excluded.offense_date,
    excluded.arrest_date, excluded.disposition_date)
