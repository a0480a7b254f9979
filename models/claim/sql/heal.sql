-- Instants in the future. They came with a snapshot that was read before such snapshots were refused, or while the
-- clock of this service was wrong. Each statement sets them to @at, the newest instant that the source has truly
-- reported, on an operator's command (CLAIMS.md, rule 23).

-- name: newest_future
-- Returns the newest instant of the future that a source's claims have, or null for none. What else a claim knows
-- is not newer.
select max(greatest(said_at, missing_since))
from {claims}
where source_id = @source and (said_at > @latest or missing_since > @latest)

-- name: claims_of_source
-- Returns some claims of a source, earlier booking periods included, in the order of their keys.
select c.source_id, c.key, c.stay, coalesce(c.record, 0), coalesce(c.county_id, 0), c.how, c.how_at, c.fingerprint,
  c.first_at, c.said_at, c.present, c.missing_since, c.misses, c.disputed, coalesce(c.person_key, ''),
  coalesce(c.number, ''), c.facts, c.since, c.evidence, coalesce(c.run_id, 0),
  c.photograph is not null
from {claims} c
where source_id = @source and (key, stay) > (@key, @stay::smallint)
order by key, stay
limit @n

-- name: heal_cases
-- Corrects the instants of court cases.
update court_cases set snapshot_at = @at where source_id = @source and snapshot_at > @latest

-- name: heal_hearings
-- Corrects the instants of their hearings.
update hearings p
set snapshot_at = @at
from court_cases c
where c.id = p.case_id and c.source_id = @source and p.snapshot_at > @latest

-- name: heal_case_charges
-- Corrects the instants of their charges.
update case_charges p
set snapshot_at = @at
from court_cases c
where c.id = p.case_id and c.source_id = @source and p.snapshot_at > @latest

-- name: heal_records
-- Corrects when the records of the source were seen first and last, and since when they are withheld, which a decision
-- of today would else be older than. When they were seen last follows from the claims of all sources.
update {records} r
set first_seen = case when r.first_seen > @latest then @at else r.first_seen end,
    last_seen = case when r.last_seen > @latest then c.at else r.last_seen end,
    withheld_since = case when r.withheld_since > @latest then @at else r.withheld_since end
from (select record, max(said_at) as at from {claims} where record = any(@records::bigint[]) group by record) c
where r.{key} = c.record and (r.first_seen > @latest or r.last_seen > @latest or r.withheld_since > @latest)
