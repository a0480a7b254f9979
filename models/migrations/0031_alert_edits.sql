-- What was changed of watchers, by whom (docs/decisions/0033-desk.md).
-- +goose Up

-- A change of a watcher. Whoever changes one writes it in the same transaction; it is deleted with the watcher.
create table watcher_edits (
  watcher_id text collate "C" not null references watchers,
  rev        bigint not null,                              -- revision of the watcher that the change made
  by         text not null,                                -- who made it (actor_of); outlives users and keys
  at         timestamptz not null,
  changes    jsonb not null check (jsonb_typeof(changes) = 'array' and changes <> '[]'), -- models.MemberChange, a list
  primary key (watcher_id, rev)
);

-- Who follows the events of an account also hears when its hits are read, assigned or answered.
-- +goose StatementBegin
create function announce_hits() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_events', account_id)
  from (
    select distinct n.account_id
    from fresh n
    join stale o on o.id = n.id
    where (n.rev, n.assignee_id) is distinct from (o.rev, o.assignee_id)) changed;
  return null;
end $$;
-- +goose StatementEnd
create trigger hits_announced after update on hits referencing old table as stale new table as fresh
  for each statement execute function announce_hits();
