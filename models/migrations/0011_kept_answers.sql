-- The bookings that a kept answer shows, so that hiding one of them finds the answers to forget.
-- +goose Up

alter table idempotency_keys add column records bigint[] not null default '{}'; -- bookings.rid

create index idempotency_keys_records on idempotency_keys using gin (records);
