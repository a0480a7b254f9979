-- +goose Up
drop view booking_numbers;
drop table sightings cascade;
create view sightings as select source_id, key as booking_key, record as rid, person_key, facts->>'locator' as locator, fingerprint as print, said_at as snapshot_at, present, misses, missing_since,
 case when how = 'rekeyed' then how_at end as joined, case when how = 'merged' then how_at end as merged_at, null::text[] as told, evidence->>'adult_at' is not null as grown,
 case when evidence->>'more_at' is not null then 'more' when evidence->>'juvenile_at' is not null and (evidence->>'retracted_at')::timestamptz >= (evidence->>'juvenile_at')::timestamptz then 'no' when evidence->>'juvenile_at' is not null then 'flag' end as sign
 from roster_claims where record is not null and stay = 0;
create view booking_numbers as select record as rid, number from roster_claims where number is not null and record is not null;
