-- A version row of a hearing holds all that was published of it, so that asOf can show it as it was.
-- +goose Up

-- What a version row says of a hearing that stands; a cancelled one is null.
create function hearing_text(cancelled boolean, starts_at timestamptz, day date, clock text, kind text, judge text, location text, link text)
 returns text language sql immutable parallel safe
 return case when not cancelled then jsonb_strip_nulls(jsonb_build_object('startsAt', instant(starts_at), 'date', day::text, 'time', clock, 'kind', kind, 'judge', judge, 'location', location, 'link', link))::text end;

-- Rows from before hold the start alone.
update record_changes v set before = told.before, after = told.after from (
 select r.id, (select hearing_text(false, s, g::date, nullif(to_char(g, 'HH24:MI'), '00:00'), null, null, null, null) from (select r.before::timestamptz as s, georgia_clock(r.before::timestamptz) as g) t where r.before is not null) as before,
  (select hearing_text(false, s, g::date, nullif(to_char(g, 'HH24:MI'), '00:00'), null, null, null, null) from (select r.after::timestamptz as s, georgia_clock(r.after::timestamptz) as g) t where r.after is not null) as after
 from record_changes r where r.family = 'courts' and r.field like 'hearing %') told where told.id = v.id;
