-- When an operator's merge brought a key to its booking, null of a booking's own key: while the source lists the own
-- one, the other only says that the person is there. Of merges before, the key told last rules, as the booking has its facts.
-- +goose Up

alter table sightings add column merged_at timestamptz;

update sightings g set merged_at = now() from merged_records m
 where m.family = 'roster' and g.rid = m.record and g.joined is null and exists (
  select from sightings o where o.rid = g.rid and o.source_id = g.source_id and o.joined is null
   and (o.present, o.snapshot_at, o.booking_key) > (g.present, g.snapshot_at, g.booking_key));
