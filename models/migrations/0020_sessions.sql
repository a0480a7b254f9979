-- People who sign in, their sessions and one-time links, and what was done in an account.
-- +goose Up

create table users (
  id           text collate "C" primary key,
  account_id   text not null references accounts on delete cascade,
  email        text not null check (email like '%_@_%'),
  password     text not null,                        -- argon2id, with its parameters and salt
  role         text not null check (role in ('owner', 'member')),
  operator     boolean not null default false,       -- may look after the sources
  created_at   timestamptz not null,
  last_sign_in timestamptz
);
create unique index users_email on users (lower(email));
create index users_account on users (account_id, created_at);

-- Of a link and of a session only the SHA-256 of its secret is kept.
create table sign_in_links (
  sha256     bytea primary key check (length(sha256) = 32),
  kind       text not null check (kind in ('invitation', 'reset', 'enter')),
  account_id text not null references accounts on delete cascade,
  user_id    text references users on delete cascade, -- null: an invitation
  email      text not null check (email like '%_@_%'),
  role       text not null check (role in ('owner', 'member')),
  operator   boolean not null default false,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  check ((kind = 'invitation') = (user_id is null))
);
create index sign_in_links_account on sign_in_links (account_id, created_at);
create index sign_in_links_user on sign_in_links (user_id);

create table sessions (
  sha256     bytea primary key check (length(sha256) = 32),
  user_id    text not null references users on delete cascade,
  created_at timestamptz not null,
  seen_at    timestamptz not null,                   -- written at most once a minute
  expires_at timestamptz not null,
  agent      text not null                           -- what the browser calls itself
);
create index sessions_user on sessions (user_id, seen_at desc);
create index sessions_expiry on sessions (expires_at);

-- The trail of an account. actor is an address or the command line, and outlives the user.
create table account_events (
  id         bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  at         timestamptz not null,
  actor      text not null,
  action     text not null,
  subject    text not null default ''
);
create index account_events_account on account_events (account_id, id desc);

-- Releases of a county in a span of days, for its figures.
create index bookings_released on bookings (county_id, released_at) where released_at is not null and withheld is null;
