-- Rows that stamped themselves with an instant in the future, before such were refused: all that was said
-- of them since was taken for older.
-- +goose Up
update sightings set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
update corrections_records set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
update court_cases set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
update hearings set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
update case_charges set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
update removed_hearings set snapshot_at = now() where snapshot_at > now() + interval '15 minutes';
