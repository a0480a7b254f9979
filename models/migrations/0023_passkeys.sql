-- Passkeys of users, and the challenges that are open (Web Authentication, Level 3).
-- +goose Up

create table passkeys (
  id         bytea primary key check (length(id) between 1 and 1023),
  user_id    text not null references users on delete cascade,
  name       text not null check (char_length(name) between 1 and 100),
  credential jsonb not null,                         -- public key, flags and counter: no secret
  created_at timestamptz not null,
  last_used  timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- A challenge is answered once, within minutes.
create table passkey_challenges (
  challenge  text primary key,
  user_id    text references users on delete cascade, -- who adds a passkey; null: somebody signs in
  session    jsonb not null,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
