-- What a process needs to take deliveries that are due (docs/decisions/0005-delivery-queue.md).
-- +goose Up

-- A process that took a delivery holds it until leased_until and renews that while it lives. The
-- columns are in no index, so that taking a delivery rewrites its row and nothing else.
alter table deliveries add leased_until timestamptz, add leased_by text;
alter table deliveries set (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Says that there is something new to deliver, when the transaction commits.
-- +goose StatementBegin
create function announce_deliveries() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_deliveries', '');
  return null;
end $$;
-- +goose StatementEnd
create trigger deliveries_announced after insert on deliveries for each statement execute function announce_deliveries();
create trigger redeliveries_announced after update on deliveries for each row
  when (old.state in ('delivered', 'dropped') and new.state = 'pending') execute function announce_deliveries();
