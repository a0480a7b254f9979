-- Which dropped files were read, and how old the data of a source is, which its runs alone do not tell.
-- +goose Up

-- Files of a folder, an SFTP server or a bucket; mark changes when a file is written again.
create table source_files (
  source_id text        not null references sources on delete cascade,
  name      text        collate "C" not null,
  mark      text        not null,
  taken_at  timestamptz not null,
  primary key (source_id, name)
);

alter table sources add data_at timestamptz,              -- the newest instant that its data speaks of
  add data_seconds integer check (data_seconds > 0);      -- how often it has newer data; null: no schedule
