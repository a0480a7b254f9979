-- An index of the hits of an account.
-- +goose Up

-- The export of hits reads them newest first, thousands at a time.
create index hits_account on hits (account_id, at desc, id desc);
