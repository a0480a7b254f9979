-- When rollcall first knew a record, by its own clock, as versions are dated: what was known at an instant can be told
-- of records whose files were read late. Null: first_seen, the instant of which the source spoke.
-- +goose Up

alter table bookings add known_at timestamptz;
alter table court_cases add known_at timestamptz;
alter table corrections_records add known_at timestamptz;

-- Of what is there: the beginning of the run whose snapshot told of it first, but never after its first version.
create temp table first_tellings on commit drop as
 select s.source_id, s.first_seen, (select r.started_at from runs r where r.source_id = s.source_id and r.snapshot_at >= s.first_seen and r.state in ('ok', 'partial') order by r.snapshot_at, r.id limit 1) as at
 from (select source_id, first_seen from bookings union select source_id, first_seen from court_cases union select source_id, first_seen from corrections_records) s;
create index on first_tellings (source_id, first_seen);
analyze first_tellings;

alter table bookings disable trigger user;
alter table court_cases disable trigger user;
alter table corrections_records disable trigger user;
update bookings b set known_at = least(t.at, (select min(v.at) from record_changes v where v.family = 'roster' and v.record = b.rid), b.last_change)
 from first_tellings t where t.source_id = b.source_id and t.first_seen = b.first_seen;
update court_cases c set known_at = least(t.at, (select min(v.at) from record_changes v where v.family = 'courts' and v.record = c.id), c.last_change)
 from first_tellings t where t.source_id = c.source_id and t.first_seen = c.first_seen;
update corrections_records o set known_at = least(t.at, (select min(v.at) from record_changes v where v.family = 'corrections' and v.record = o.cid), o.last_change)
 from first_tellings t where t.source_id = o.source_id and t.first_seen = o.first_seen;
alter table bookings enable trigger user;
alter table court_cases enable trigger user;
alter table corrections_records enable trigger user;
drop table first_tellings;
