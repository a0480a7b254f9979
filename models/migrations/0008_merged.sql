-- Records that were found to be one: the id of the one that went keeps resolving to the one that stayed.
-- +goose Up

-- The row of a record that went stays where it is, withheld as 'merged': what refers to it stays whole.
create table merged_records (
  family    text not null references generations,
  id        text collate "C" not null,               -- bookings.id or corrections_records.gdc_id of the one that went
  record    bigint not null,                         -- bookings.rid or corrections_records.cid of the one that stayed
  merged_at timestamptz not null,
  primary key (family, id)
);
create index merged_records_record on merged_records (family, record);
