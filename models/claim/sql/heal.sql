-- Instants that lie in the future are set to the newest one that the source has truly reported, @at. They are of a snapshot
-- that was read before such were refused, or while the clock of this service was wrong.

-- name: heal_roster_claims
update roster_claims
set said_at = least(said_at, @at), missing_since = least(missing_since, @at)
where source_id = @source and (said_at > @latest or missing_since > @latest)

-- name: heal_court_claims
update court_claims
set said_at = least(said_at, @at)
where source_id = @source and said_at > @latest

-- name: heal_corrections_claims
update corrections_claims
set said_at = least(said_at, @at), missing_since = least(missing_since, @at)
where source_id = @source and (said_at > @latest or missing_since > @latest)

-- name: heal_cases
update court_cases set snapshot_at = @at where source_id = @source and snapshot_at > @latest

-- name: heal_hearings
update hearings p
set snapshot_at = @at
from court_cases c
where c.id = p.case_id and c.source_id = @source and p.snapshot_at > @latest

-- name: heal_case_charges
update case_charges p
set snapshot_at = @at
from court_cases c
where c.id = p.case_id and c.source_id = @source and p.snapshot_at > @latest
