-- A request to remove a photograph covers every record that was one person's booking when it was noted: the record that
-- stayed, and those that were merged into it. Whatever is merged or taken apart later, none of them has a photograph.
-- +goose Up

-- A record has no photograph while a request covers it. A request that is declined covers none.
create table removed_photographs (
  request bigint not null references photograph_removals on delete cascade,
  family  text not null check (family in ('roster', 'corrections')),
  record  bigint not null,
  primary key (family, record, request)
);
insert into removed_photographs (request, family, record)
select x.id, x.family, r.record
from photograph_removals x
cross join lateral (
  select b.rid as record
  from bookings b
  where x.family = 'roster' and (b.rid = x.record or b.merged_into = x.record)
  union all
  select c.cid
  from corrections_records c
  where x.family = 'corrections' and (c.cid = x.record or c.merged_into = x.record)
) r
where x.state <> 'declined';

drop view comparable_photographs;
drop view published_photographs;
drop index photograph_removals_record;
alter table photograph_removals drop column record;

-- The photographs of published bookings: of several sources several.
create view published_photographs as
select b.rid, b.id as public_id, c.source_id, c.said_at, f.hash, f.width, f.height, f.small_width, f.small_height,
  f.taken_at
from published_bookings b
join roster_claims c on c.record = b.rid and c.photograph is not null
join photograph_files f on f.hash = c.photograph and not f.placeholder
where not exists (
  select
  from bookings o
  join removed_photographs x on x.family = 'roster' and x.record = o.rid
  where o.rid = b.rid or o.merged_into = b.rid);

-- Pairs whose photographs may be compared: the booking and the record are published, and names and births link them.
create view comparable_photographs as
select l.rid, l.cid, b.hash as booking, f.hash as corrections
from gdc_links l
join published_photographs b on b.rid = l.rid
join published_corrections o on o.cid = l.cid
join corrections_claims c on c.record = o.cid and c.photograph is not null
join photograph_files f on f.hash = c.photograph and not f.placeholder
where l.confidence in ('high', 'medium');
