-- Since when the document of a source says that it lists everybody: until a complete snapshot came, that is what its
-- expectation is counted from. Null: it does not.
-- +goose Up
alter table sources add column whole_since timestamptz;
