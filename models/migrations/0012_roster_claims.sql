-- Claims of rosters: what resolving custody must know of every source that reports a booking, not only of the one that
-- is being read, and the re-keyed claims that a snapshot may list beside each other.
-- +goose Up

alter table sources
  add absence_releases boolean not null default false,     -- absence from its complete snapshots means a release
  add window_days      integer not null default 0;         -- a booking of longer ago leaves its list without a release; 0: no window

create index roster_claims_rekeyed on roster_claims (source_id, record) where how = 'rekeyed';
-- Causes: a booking that is withheld on its own account can be one for others nearby.
create index bookings_causes on bookings (county_id, booked_at) where withheld in ('juvenile', 'maybe juvenile') and sealed_by is null;
