-- What operators decided about records that wait for a review: those of people who may be juveniles, and
-- those that the newest complete file lacks. Rows are never changed but for their end, so they are the audit.
-- +goose Up

create table reviews (
  id         bigint generated always as identity primary key,
  family     text        not null check (family in ('roster', 'courts', 'corrections')),
  record     bigint      not null,                   -- key of the record
  reason     text        not null check (reason in ('maybe juvenile', 'vanished')),
  decision   text        not null check (decision in ('lifted', 'kept')),
  actor      text        not null,
  note       text        not null,
  decided_at timestamptz not null,
  ended_at   timestamptz                             -- decided again, or the department lists the record again
);
create unique index reviews_current on reviews (family, record, reason) where ended_at is null;

create index bookings_review on bookings (rid) where withheld = 'maybe juvenile';
create index court_cases_review on court_cases (id) where withheld = 'maybe juvenile';
create index corrections_review on corrections_records (cid) where withheld in ('maybe juvenile', 'vanished');
