-- Totals without a name filter are sums over these few rows, kept by statement triggers in the
-- transaction that changes the records: whoever writes a record, the totals stay exact.
-- +goose Up

-- County 0 stands for all counties. day is the local day of the booking.
create table roster_totals (
  county_id smallint not null,
  status    text not null,
  n         bigint not null,
  primary key (county_id, status)
);
create table roster_days (
  county_id smallint not null,
  status    text not null,
  day       date not null,
  n         bigint not null,
  primary key (county_id, status, day)
);
create table court_totals (
  county_id  smallint not null,
  court_type text not null,
  status     text not null,
  n          bigint not null,
  primary key (county_id, court_type, status)
);
create table corrections_totals (
  category text not null,
  status   text not null,
  n        bigint not null,
  primary key (category, status)
);

-- +goose StatementBegin
create function count_bookings() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into roster_days as d (county_id, status, day, n)
      select coalesce(county_id, 0), status, day, count(*)
      from (select county_id, status, georgia_clock(booked_at)::date as day from fresh where withheld is null) b
      group by grouping sets ((county_id, status, day), (status, day)) order by 1, 2, 3
      on conflict (county_id, status, day) do update set n = d.n + excluded.n;
    insert into roster_totals as t (county_id, status, n)
      select coalesce(county_id, 0), status, count(*) from fresh where withheld is null
      group by grouping sets ((county_id, status), (status)) order by 1, 2
      on conflict (county_id, status) do update set n = t.n + excluded.n;
  end if;
  if tg_op <> 'INSERT' then
    insert into roster_days as d (county_id, status, day, n)
      select coalesce(county_id, 0), status, day, -count(*)
      from (select county_id, status, georgia_clock(booked_at)::date as day from stale where withheld is null) b
      group by grouping sets ((county_id, status, day), (status, day)) order by 1, 2, 3
      on conflict (county_id, status, day) do update set n = d.n + excluded.n;
    insert into roster_totals as t (county_id, status, n)
      select coalesce(county_id, 0), status, -count(*) from stale where withheld is null
      group by grouping sets ((county_id, status), (status)) order by 1, 2
      on conflict (county_id, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger bookings_counted_insert after insert on bookings referencing new table as fresh for each statement execute function count_bookings();
create trigger bookings_counted_update after update on bookings referencing old table as stale new table as fresh for each statement execute function count_bookings();
create trigger bookings_counted_delete after delete on bookings referencing old table as stale for each statement execute function count_bookings();

-- +goose StatementBegin
create function count_court_cases() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into court_totals as t (county_id, court_type, status, n)
      select county_id, court_type, status, count(*) from fresh where withheld is null group by 1, 2, 3 order by 1, 2, 3
      on conflict (county_id, court_type, status) do update set n = t.n + excluded.n;
  end if;
  if tg_op <> 'INSERT' then
    insert into court_totals as t (county_id, court_type, status, n)
      select county_id, court_type, status, -count(*) from stale where withheld is null group by 1, 2, 3 order by 1, 2, 3
      on conflict (county_id, court_type, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger court_cases_counted_insert after insert on court_cases referencing new table as fresh for each statement execute function count_court_cases();
create trigger court_cases_counted_update after update on court_cases referencing old table as stale new table as fresh for each statement execute function count_court_cases();
create trigger court_cases_counted_delete after delete on court_cases referencing old table as stale for each statement execute function count_court_cases();

-- +goose StatementBegin
create function count_corrections() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into corrections_totals as t (category, status, n)
      select category, status, count(*) from fresh where withheld is null group by 1, 2 order by 1, 2
      on conflict (category, status) do update set n = t.n + excluded.n;
  end if;
  if tg_op <> 'INSERT' then
    insert into corrections_totals as t (category, status, n)
      select category, status, -count(*) from stale where withheld is null group by 1, 2 order by 1, 2
      on conflict (category, status) do update set n = t.n + excluded.n;
  end if;
  return null;
end $$;
-- +goose StatementEnd
create trigger corrections_counted_insert after insert on corrections_records referencing new table as fresh for each statement execute function count_corrections();
create trigger corrections_counted_update after update on corrections_records referencing old table as stale new table as fresh for each statement execute function count_corrections();
create trigger corrections_counted_delete after delete on corrections_records referencing old table as stale for each statement execute function count_corrections();

-- Name searches of several words: each word of the query within a word of its own of the key
-- (the rule of match.Holds). Called only for rows that hold each word somewhere.
-- +goose StatementBegin
create function name_holds(key text[], query text[]) returns boolean language plpgsql immutable parallel safe as $$
declare i int;
begin
  if cardinality(query) = 0 then return true; end if;
  for i in 1 .. cardinality(key) loop
    if strpos(key[i], query[1]) > 0 and name_holds(key[:i-1] || key[i+1:], query[2:]) then return true; end if;
  end loop;
  return false;
end $$;
-- +goose StatementEnd
