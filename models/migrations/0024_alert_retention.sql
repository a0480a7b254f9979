-- What alerts leave behind expires (models/retention_alerts.go).
-- +goose Up

-- The time of making never changes, so an index on it costs an attempt nothing.
create index deliveries_age on deliveries (created_at);

-- For what goes with a hit or an event: most events have a hit, few take something back.
create index events_hit on events (hit_id) where hit_id is not null;
create index events_retracts on events (retracts) where retracts is not null;
