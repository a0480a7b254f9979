-- Links that an operator's "not the same person" dismissed, so that taking it back restores them.
-- +goose Up
create table report_links (
  report bigint not null references person_reports on delete cascade,
  one    text collate "C" not null,                        -- bookings.id, or the public id of a case
  other  text collate "C" not null,                        -- bookings.id or corrections_records.gdc_id
  was    jsonb not null,                                   -- link.Former: the row of the link, if there was one
  primary key (report, one, other)
);
