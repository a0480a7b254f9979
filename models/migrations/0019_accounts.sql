-- Accounts, the people and programs that act for them, and what they did.
-- +goose Up

-- ---------------------------------------------------------------- accounts

create table accounts (
  id          text collate "C" primary key,
  name        text not null check (name <> ''),
  email       text not null check (email like '%_@_%'),
  plan        text not null check (plan in ('free', 'pro', 'enterprise')),
  rate_limit  integer not null default 100 check (rate_limit >= 0), -- requests a minute; 0: unlimited
  flood_limit integer not null default 0 check (flood_limit >= 0),  -- deliveries a minute; 0: unlimited
  created_at  timestamptz not null,
  suspended_at     timestamptz,                            -- by an operator
  suspended_reason text,                                   -- for the account's users
  -- it has the API, events and deliveries
  entitled    boolean not null generated always as (plan = 'enterprise' and suspended_at is null) stored,
  check ((suspended_at is null) = (suspended_reason is null))
);
create unique index accounts_email on accounts (lower(email));

-- Requests of an account in an hour.
create table usage_hours (
  account_id text not null references accounts,
  hour       timestamptz not null,
  requests   bigint not null default 0,
  limited    bigint not null default 0,                    -- those that the rate limit rejected
  primary key (account_id, hour)
);

-- The audit trail of an account.
create table account_events (
  id         bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  at         timestamptz not null,
  -- an email address, a key or the command line; no reference: it outlives the user
  actor      text not null,
  action     text not null,
  subject    text not null default ''
);
create index account_events_account on account_events (account_id, id desc);

-- ---------------------------------------------------------------- programs

-- Of keys, tokens, links and sessions only the SHA-256 is stored.

create table api_keys (
  id         text collate "C" primary key,
  account_id text not null references accounts,
  label      text not null,
  prefix     text not null,                                -- first characters of the key, to recognise it
  scopes     text[] not null check ('read' = any (scopes) and scopes <@ '{read,alerts,webhooks,admin}'),
  sha256     bytea not null unique check (length(sha256) = 32),
  created_at timestamptz not null,
  last_used  timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id, created_at desc);

-- Calendar subscriptions: addresses with a token that serve the hearings of a case.
create table calendar_subscriptions (
  id         text collate "C" primary key,
  account_id text not null references accounts,
  case_id    bigint not null references court_cases on delete cascade, -- as subscribed to: it may lead to another
  label      text not null default '',
  sha256     bytea not null unique check (length(sha256) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index calendar_subscriptions_account on calendar_subscriptions (account_id, created_at desc, id desc);
create index calendar_subscriptions_case on calendar_subscriptions (case_id);

-- Atom subscriptions: addresses with a token that serve an account's newest events as Atom.
create table atom_subscriptions (
  id         text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  label      text not null default '',
  sha256     bytea not null unique check (length(sha256) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index atom_subscriptions_account on atom_subscriptions (account_id, created_at desc, id desc);

-- The answer to a POST with an Idempotency-Key. It is kept for 24 hours.
create table idempotency_keys (
  account_id text collate "C" not null references accounts,
  key        text collate "C" not null,
  request    bytea not null,                               -- SHA-256 of method, path and body
  status     integer,                                      -- null: not answered yet
  body       bytea,
  created_at timestamptz not null,
  -- keys of the records that the answer shows, by family: hiding one of them forgets it
  bookings            bigint[] not null default '{}',
  court_cases         bigint[] not null default '{}',
  corrections_records bigint[] not null default '{}',
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_bookings on idempotency_keys using gin (bookings);
create index idempotency_keys_cases on idempotency_keys using gin (court_cases);
create index idempotency_keys_corrections on idempotency_keys using gin (corrections_records);

-- ---------------------------------------------------------------- people

create table users (
  id           text collate "C" primary key,
  account_id   text not null references accounts on delete cascade,
  email        text not null check (email like '%_@_%'),
  password     text not null,                              -- argon2id with its parameters and salt
  role         text not null check (role in ('owner', 'member')),
  operator     boolean not null default false,             -- may manage the sources
  created_at   timestamptz not null,
  last_sign_in timestamptz
);
create unique index users_email on users (lower(email));
create index users_account on users (account_id, created_at);

-- One-time links.
create table sign_in_links (
  sha256     bytea primary key check (length(sha256) = 32),
  kind       text not null check (kind in ('invitation', 'reset', 'enter')),
  account_id text not null references accounts on delete cascade,
  user_id    text references users on delete cascade,      -- null: an invitation
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
  seen_at    timestamptz not null,                         -- written at most once a minute
  expires_at timestamptz not null,
  agent      text not null                                 -- User-Agent of the browser
);
create index sessions_user on sessions (user_id, seen_at desc);
create index sessions_expiry on sessions (expires_at);

-- Passkeys (Web Authentication, Level 3).
create table passkeys (
  id         bytea primary key check (length(id) between 1 and 1023),
  user_id    text not null references users on delete cascade,
  name       text not null check (char_length(name) between 1 and 100),
  credential jsonb not null,                               -- public key, flags and counter; no secret
  created_at timestamptz not null,
  last_used  timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- Open challenges. Each is answered once, within minutes.
create table passkey_challenges (
  challenge  text primary key,
  user_id    text references users on delete cascade,      -- the user who adds a passkey; null: a sign-in
  session    jsonb not null,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
