-- Corrections records: what a run reads and writes (CLAIMS.md, section 3.5). A record that a proven file lacks is
-- hidden and never released (CLAIMS.md, rule 59).

-- name: offenders_by_id
-- Returns the records with some public ids. The id of a merged record leads to the record that stayed (CLAIMS.md,
-- rule 61), and goes on naming who it named.
select g.gdc_id, g.cid, o.cid,
  (select m.merged_at from merges m where m.family = 'corrections' and m.gone = g.cid), o.name, o.dob, g.name, g.dob
from corrections_records g
join corrections_records o on o.cid = coalesce(g.merged_into, g.cid)
where g.gdc_id = any(@ids::text[])

-- name: offenders
-- Returns records as they are stored.
select cid, gdc_id, source_id, name, dob, birth_year, category, categories, institution, sentence, status,
  status_text, release_date, release_projected, parole_end_date, withheld, withheld_since, merged_into is not null,
  first_seen, last_seen
from corrections_records
where cid = any(@records::bigint[])

-- name: new_offender_keys
-- Takes keys for new records.
select nextval(pg_get_serial_sequence('corrections_records', 'cid'))
from generate_series(1, @n::int)

-- name: create_written_offenders
-- Makes the table of the records that were resolved.
create temp table if not exists written_offenders (
  cid bigint,
  source_id text,
  name text,
  name_key text,
  dob date,
  birth_year smallint,
  category text,
  categories text[],
  institution text,
  sentence text,
  status text,
  status_text text,
  release_date date,
  release_projected boolean,
  parole_end_date date,
  withheld withheld_reason,
  withheld_since timestamptz,
  last_seen timestamptz
) on commit delete rows

-- name: clear_written_offenders
-- Empties this table for the next chunk of the run.
truncate written_offenders

-- name: write_offenders
-- Updates the records that were resolved.
update corrections_records t
set source_id = w.source_id, name = w.name, name_key = w.name_key, dob = w.dob, birth_year = w.birth_year,
    category = w.category, categories = w.categories, institution = w.institution, sentence = w.sentence,
    status = w.status, status_text = w.status_text, release_date = w.release_date,
    release_projected = w.release_projected, parole_end_date = w.parole_end_date, withheld = w.withheld,
    withheld_since = w.withheld_since, last_seen = greatest(t.last_seen, w.last_seen), last_change = @now, gen = @gen
from written_offenders w
where w.cid = t.cid

-- name: open_offenders
-- Counts the published records of a source whose status is incarcerated. The mass-change guard compares the snapshot
-- with this count (CLAIMS.md, rule 60).
select count(*)
from corrections_records
where source_id = @source
  and withheld is null
  and merged_into is null
  and status = 'incarcerated'

-- name: facts_of_offenders
-- Counts, of the records that the snapshot lists and that its source knew before, those with a year of birth, an
-- institution, a sentence, a release date and an end of parole, for the mass-change guard.
select count(o.birth_year), count(o.institution), count(o.sentence), count(o.release_date), count(o.parole_end_date)
from (select distinct key from incoming) i
join corrections_claims c on c.source_id = @source and c.key = i.key and c.stay = 0 and c.how_at < @now
join corrections_records o on o.cid = c.record

-- name: doubled_offenders
-- Counts the people whom the snapshot reports under new numbers, and those of them whom the source knows under a number
-- that the snapshot lacks, by folded name and year of birth, for the key-turnover guard (CLAIMS.md, rule 18).
select count(*),
  count(*) filter (
    where exists (
      select
      from corrections_records k
      join corrections_claims c on c.record = k.cid and c.source_id = @source
      where k.name_key = o.name_key
        and k.birth_year = o.birth_year
        and k.cid <> o.cid
        and not exists (select from incoming i where i.key = c.key)))
from (select distinct key from incoming) i
join corrections_claims n on n.source_id = @source and n.key = i.key and n.stay = 0 and n.how_at >= @now
join corrections_records o on o.cid = n.record

-- name: withheld_offenders
-- Counts the records that the snapshot lists and that are withheld, for the report of the run.
select count(distinct o.cid)
from corrections_records o
join corrections_claims c on c.record = o.cid and c.source_id = @source
join incoming i on i.key = c.key
where o.withheld is not null
