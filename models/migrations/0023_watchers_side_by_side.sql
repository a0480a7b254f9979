-- Accounts write watchers side by side: no import of a long list lets the alerts of another account wait.
-- +goose Up

-- The revision of the newest change of its watchers. Those of one account commit in order.
alter table alert_accounts add column rev bigint not null default 0;
update alert_accounts a
set rev = coalesce((select max(w.rev) from watchers w where w.account_id = a.account_id), 0);

drop trigger watchers_ordered on watchers;
drop function order_watchers();
drop function lock_watchers();

-- The newest revision that was drawn. Transactions do not matter to a sequence.
create function drawn_watcher_rev() returns bigint language sql volatile as
  'select last_value - (not is_called)::int from watcher_revs';

-- Each transaction that changes watchers calls it before it draws a revision. Until its end, batches of changes wait
-- for it (settle_watchers), and pg_locks holds a revision below all that it draws, as a negative key
-- (settled_watchers).
-- +goose StatementBegin
create function begin_watchers() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1919904882);
  perform pg_advisory_xact_lock_shared(-1 - drawn_watcher_rev());
end $$;
-- +goose StatementEnd

-- Begins a transaction that changes watchers of an account. Those of one account wait for each other.
-- +goose StatementBegin
create function lock_watchers(account text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1919904886, hashtext(account));
  perform begin_watchers();
end $$;
-- +goose StatementEnd

-- Waits for all transactions that change watchers, and lets no other begin until this one commits.
create function settle_watchers() returns void language sql as 'select pg_advisory_xact_lock(1919904882)';

-- Returns a revision up to which all changes of watchers are committed or undone: a later statement sees them.
-- Whoever drew an older one than newest is among the locks, or has ended.
-- +goose StatementBegin
create function settled_watchers() returns bigint language plpgsql volatile as $$
declare
  newest bigint := drawn_watcher_rev();
  oldest bigint;
begin
  select min(-1 - ((classid::bigint << 32) | objid::bigint)) into oldest
  from pg_locks
  where locktype = 'advisory' and objsubid = 1 and classid::bigint >= 2147483648
    and database = (select oid from pg_database where datname = current_database());
  return least(newest, oldest);
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create function order_watchers() returns trigger language plpgsql as $$
begin
  perform begin_watchers();
  return null;
end $$;
-- +goose StatementEnd
create trigger watchers_ordered before insert or update on watchers
  for each statement execute function order_watchers();

-- +goose StatementBegin
create or replace function count_watchers() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into alert_accounts as a (account_id, watchers, rev)
      select account_id, count(*) filter (where deleted_at is null), max(rev) from fresh group by 1 order by 1
      on conflict (account_id) do update
        set watchers = a.watchers + excluded.watchers, rev = greatest(a.rev, excluded.rev);
  end if;
  if tg_op <> 'INSERT' then
    insert into alert_accounts as a (account_id, watchers)
      select account_id, -count(*) from stale where deleted_at is null group by 1 order by 1
      on conflict (account_id) do update set watchers = a.watchers + excluded.watchers;
  end if;
  return null;
end $$;
-- +goose StatementEnd
