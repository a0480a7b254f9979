-- A court case that speaks of a booking which is withheld as a juvenile's is withheld with it: on whose
-- account, and what the case says by itself.
-- +goose Up

alter table court_cases add column sealed_by bigint references bookings on delete set null,
  add column own_withheld text;                        -- while sealed: why it would be withheld by itself
create index court_cases_sealed on court_cases (sealed_by) where sealed_by is not null;

-- How a booking number is compared: courts and jails differ in blanks and dashes.
-- +goose StatementBegin
create function booking_number(said text) returns text language sql immutable parallel safe as $$
  select nullif(upper(regexp_replace(said, '[^[:alnum:]]', '', 'g')), '')
$$;
-- +goose StatementEnd
create index court_cases_booking on court_cases (county_id, booking_number(booking_key)) where booking_key is not null;
create index bookings_juvenile on bookings (county_id, rid) where withheld in ('juvenile', 'maybe juvenile');

-- The numbers of a booking at its sources: a key as a whole, and its parts that are long enough to be one.
create view booking_numbers as
  select g.rid, n.number from sightings g cross join lateral (
   select booking_number(g.booking_key) as number
   union select booking_number(part) from unnest(string_to_array(g.booking_key, '|')) part where length(btrim(part)) >= 4) n
  where n.number is not null;

create temp table sealing on commit drop as
 select id, min(rid) as rid from (
  select c.id, n.rid from bookings b join booking_numbers n on n.rid = b.rid
   join court_cases c on c.county_id = b.county_id and c.booking_key is not null and booking_number(c.booking_key) = n.number where b.withheld in ('juvenile', 'maybe juvenile')
  union select l.case_id, l.rid from court_links l join bookings b on b.rid = l.rid where b.withheld in ('juvenile', 'maybe juvenile') and (l.pinned or l.confidence <> 'low')) x
 group by id;
update generations set gen = gen + 1 where family = 'courts' and exists (select from sealing);
insert into record_changes (family, record, at, source_id, field, after)
 select 'courts', c.id, now(), c.source_id, 'withheld', 'maybe juvenile' from court_cases c join sealing s using (id) where c.withheld is null;
update court_cases c set sealed_by = s.rid, own_withheld = c.withheld, withheld = coalesce(c.withheld, 'maybe juvenile'),
  last_change = case when c.withheld is null then now() else c.last_change end, gen = case when c.withheld is null then g.gen else c.gen end
 from sealing s, generations g where s.id = c.id and g.family = 'courts';
