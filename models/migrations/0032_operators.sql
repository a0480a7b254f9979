-- Releases of held sources that an operator decided. Each is applied a moment later, so that it can be undone until
-- then (docs/decisions/0035-releases.md). The row is its own queue: a worker takes what is due.
-- +goose Up
create table source_releases (
  id         bigint generated always as identity primary key,
  source_id  text collate "C" not null references sources on delete cascade,
  -- The hold that the operator saw. A release ends that one and no other.
  held_since timestamptz not null,
  held_run   bigint,                                       -- runs.id of its snapshot; null: there is none
  renumbered boolean not null default false,               -- people are recognised under new keys
  actor      text not null,                                -- who decided, by address
  decided_at timestamptz not null,
  due_at     timestamptz not null,                         -- until then it can be undone
  started_at timestamptz,                                  -- when a worker took it; null: none has
  ended_at   timestamptz,                                  -- null: it is open
  outcome    text check (outcome in ('applied', 'failed', 'undone', 'overtaken')),
  note       text,                                         -- why it failed; no personal data
  check ((ended_at is null) = (outcome is null))
);
-- A source has one open release.
create unique index source_releases_open on source_releases (source_id) where ended_at is null;
create index source_releases_source on source_releases (source_id, id desc);

-- Versions of source documents that operators saved on a page. The document in force is the file in the data directory:
-- this is its history. A document with a credential in it is never saved.
create table source_documents (
  id        bigint generated always as identity primary key,
  source_id text collate "C" not null references sources on delete cascade,
  at        timestamptz not null,
  actor     text not null,                                 -- who saved it, by address; empty: as it was found
  digest    text not null,                                 -- SHA-256 of the text in hex
  text      text not null
);
create index source_documents_source on source_documents (source_id, id desc);
