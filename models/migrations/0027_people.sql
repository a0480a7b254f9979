-- The people of records (person.Gather, docs/decisions/0030-people.md).
-- +goose Up

-- Bookings of one birth date, which may be one person's.
create index bookings_born on bookings (dob, booked_at desc)
  where dob is not null and withheld is null and merged_into is null;

-- The numbers that jails have for people, by booking. Whether a booking is published is asked elsewhere.
create view jail_numbers as
select source_id, person_key, record from known_roster_claims where person_key is not null;

-- What members of accounts report: that a record on the page of a person is of somebody else. Records are named by the
-- ids that pages have.
create table person_reports (
  id         bigint generated always as identity primary key,
  record     text collate "C" not null,
  person     text collate "C" not null,                    -- another record of that person
  account_id text collate "C" not null references accounts on delete cascade,
  reporter   text not null,
  note       text not null,
  state      text not null default 'open' check (state in ('open', 'together', 'apart')),
  made_at    timestamptz not null,
  grounds    text,
  decided_by text,
  decided_at timestamptz,
  check ((state = 'open') = (decided_at is null))
);
create unique index person_reports_open on person_reports (record) where state = 'open';
create index person_reports_account on person_reports (account_id) where state = 'open';
create index person_reports_decided on person_reports (decided_at desc, id desc) where state <> 'open';

-- Records that are two people's, as an operator decided about a report: each pair in either direction.
create table people_apart (
  report       bigint not null references person_reports on delete cascade,
  family       text not null check (family in ('roster', 'courts', 'corrections')),
  record       bigint not null,
  other_family text not null check (other_family in ('roster', 'courts', 'corrections')),
  other        bigint not null,
  primary key (family, record, other_family, other, report)
);
create index people_apart_report on people_apart (report);
