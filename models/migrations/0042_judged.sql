-- How far the records that were published before a rule came have been judged by it, once: of juveniles and of the
-- cases of juveniles, whether others that are published may be the same person's (0036).
-- +goose Up

create table judged (
  rule     text        primary key check (rule in ('bookings', 'courts')),
  upto     bigint      not null default 0,             -- the last ground that was looked at
  ended_at timestamptz                                 -- all were
);
insert into judged (rule) values ('bookings'), ('courts');
