-- Calendars of a case's hearings that an account subscribed to by an address with a token.
-- +goose Up

create table calendar_feeds (
  id         text collate "C" primary key,
  account_id text not null references accounts,
  case_id    bigint not null references court_cases on delete cascade,
  label      text not null default '',
  sha256     bytea not null unique check (length(sha256) = 32), -- of the token; the token itself is never stored
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index calendar_feeds_account on calendar_feeds (account_id, created_at desc, id desc);
create index calendar_feeds_case on calendar_feeds (case_id);
