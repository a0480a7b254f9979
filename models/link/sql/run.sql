-- What a link run has to consider (CLAIMS.md, rule 83). Births are written as YYYY-MM-DD, YYYY or nothing.

-- name: linked_state
-- Returns up to which generations and decisions the run links, read at one instant. What is committed later is due in
-- the next run.
select
  (select gen from generations where family = 'roster') as roster_gen,
  (select gen from generations where family = 'corrections') as corrections_gen,
  (select gen from generations where family = 'courts') as courts_gen,
  (select coalesce(max(seq), 0) from link_decisions) as decision,
  (select coalesce(max(seq), 0) from court_link_decisions) as court_decision,
  (select coalesce(sum(n), 0) from corrections_totals)::bigint as population

-- name: note_all_records
-- Notes all corrections records as matching sees them, in the first run.
insert into linked_records (cid, gdc_id, name, born)
select o.cid, o.gdc_id, o.name, coalesce(to_char(o.dob, 'YYYY-MM-DD'), o.birth_year::text, '')
from published_corrections o
order by o.cid

-- name: make_changed
-- Makes the table of the records that changed for matching.
create temp table changed (
  cid bigint,
  old_id text,
  old_name text,
  old_born text,
  gdc_id text,
  name text,
  born text
) on commit drop

-- name: find_changed_records
-- Finds the records of new generations that matching sees differently from the last run. A record that was deleted or
-- withheld has no name now, and a new one had none.
-- name now, one that is new had none.
insert into changed (cid, old_id, old_name, old_born, gdc_id, name, born)
select cid, l.gdc_id as old_id, l.name as old_name, l.born as old_born, n.gdc_id, n.name, n.born
from (
  select cid from known_corrections where gen > @corrections_gen
  union
  select record from gone_records where family = 'corrections' and gen > @corrections_gen
) touched
left join linked_records l using (cid)
left join (
  select o.cid, o.gdc_id, o.name, coalesce(to_char(o.dob, 'YYYY-MM-DD'), o.birth_year::text, '') as born
  from published_corrections o
  where o.gen > @corrections_gen
) n using (cid)
where (l.name, l.born) is distinct from (n.name, n.born)

-- name: forget_changed_records
-- Deletes what was noted of the records that changed.
delete from linked_records l
using changed c
where c.cid = l.cid

-- name: note_changed_records
-- Notes them as matching sees them now.
insert into linked_records (cid, gdc_id, name, born)
select cid, gdc_id, name, born
from changed
where name is not null

-- name: versions_of_changed_records
-- Returns these records as they were and as they are. A booking near either may need another link. Bookings that are
-- linked with a changed record are near its old version, because only the pair decides whether it is near.
select old_id as gdc_id, old_name as name, old_born as born from changed where old_name is not null
union all
select gdc_id, name, born from changed where name is not null

-- name: due_bookings
-- Returns the bookings that changed, that an operator decided about, or whose confirmed record changed.
select rid from known_bookings where gen > @roster_gen
union
select b.rid from link_decisions v join known_bookings b on b.id = v.roster_id where v.seq > @decision
union
select b.rid
from link_decisions v
join changed c on c.old_id = v.gdc_id
join known_bookings b on b.id = v.roster_id
where v.decision = 'confirmed'
order by 1

-- name: due_cases
-- Returns the cases that changed, that an operator decided about, or whose record changed.
select id
from known_cases
where gen > @courts_gen
union
select c.id
from court_link_decisions v
join known_cases c
  on (c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)
where v.seq > @court_decision
union
select l.case_id
from court_links l
join changed n on n.cid = l.cid
order by 1

-- name: cases_by_county
-- Returns cases by county, so that the bookings of a county are read once for many cases.
select id from known_cases where id = any (@cases) order by county_id, id
