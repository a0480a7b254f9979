-- Instants in the future. They came with a snapshot that was read before such snapshots were refused, or while the
-- clock of this service was wrong. Each statement sets them to @at, the newest instant that the source has truly
-- reported, on an operator's command (CLAIMS.md, rule 23).

-- name: heal_roster_claims
-- Corrects the instants of the claims on bookings.
update roster_claims
set said_at = least(said_at, @at), missing_since = least(missing_since, @at)
where source_id = @source and (said_at > @latest or missing_since > @latest)

-- name: heal_court_claims
-- Corrects the instants of the claims on court cases.
update court_claims
set said_at = least(said_at, @at)
where source_id = @source and said_at > @latest

-- name: heal_corrections_claims
-- Corrects the instants of the claims on corrections records.
update corrections_claims
set said_at = least(said_at, @at), missing_since = least(missing_since, @at)
where source_id = @source and (said_at > @latest or missing_since > @latest)

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
