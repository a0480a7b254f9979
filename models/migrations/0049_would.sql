-- Whom a held snapshot would have changed: an operator who clears it has agreed to that, and not to as many others.
-- +goose Up

alter table runs add column would jsonb; -- kind of change -> record keys of the family; null: not held, or nobody
