-- The names under which the rows of a source ever told values (keys, elements, labels), so that a new one is noticed
-- where there is no header. They hold no values.
-- +goose Up
alter table sources add column keys text[];
