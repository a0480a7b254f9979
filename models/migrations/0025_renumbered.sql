-- An operator released a held source because its keys were renumbered: until its next complete snapshot
-- people are recognised by name and instant of booking.
-- +goose Up
alter table sources add renumbered boolean not null default false;
