-- What readers that keep a copy of a family in memory need to follow it: a notification of each
-- committed generation, and the keys of deleted records.
-- +goose Up

-- A deleted record leaves its key here: a change that cannot be read off the record's own row.
create table gone_records (
  family text not null references generations,
  record bigint not null,                           -- bookings.rid, court_cases.id, corrections_records.cid
  gen    bigint not null,
  primary key (family, gen, record)
);

-- The notification is delivered when the transaction commits: "roster 17".
-- +goose StatementBegin
create function announce_generations() returns trigger language plpgsql as $$
begin
  perform pg_notify('rollcall_changes', family || ' ' || gen) from fresh;
  return null;
end $$;
-- +goose StatementEnd
create trigger generations_announced after update on generations referencing new table as fresh for each statement execute function announce_generations();

-- The arguments are the family and the key column. The generation is raised here, so that a
-- deletion is a change whoever makes it, also by a cascade or by hand.
-- +goose StatementBegin
create function bury_records() returns trigger language plpgsql as $$
declare g bigint;
begin
  if not exists (select from stale) then return null; end if;
  update generations set gen = gen + 1 where family = tg_argv[0] returning gen into g;
  execute format('insert into gone_records (family, record, gen) select %L, %I, %L from stale', tg_argv[0], tg_argv[1], g);
  return null;
end $$;
-- +goose StatementEnd
create trigger bookings_buried after delete on bookings referencing old table as stale for each statement execute function bury_records('roster', 'rid');
create trigger court_cases_buried after delete on court_cases referencing old table as stale for each statement execute function bury_records('courts', 'id');
create trigger corrections_buried after delete on corrections_records referencing old table as stale for each statement execute function bury_records('corrections', 'cid');
