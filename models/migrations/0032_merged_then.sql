-- What an id said before its record was merged into another can be read again.
-- +goose Up
alter table merged_records
  add gone bigint,                                   -- key of the record that went
  add into_record bigint;                            -- key of the one that it was merged into; record is where that ended
update merged_records m set into_record = record, gone = case family
  when 'roster' then (select rid from bookings b where b.id = m.id)
  when 'corrections' then (select cid from corrections_records o where o.gdc_id = m.id)
  else substring(m.id from '-([0-9]+)$')::bigint end;
delete from merged_records where gone is null;
alter table merged_records alter gone set not null, alter into_record set not null;
create index merged_records_gone on merged_records (family, gone);
