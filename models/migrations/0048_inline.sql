-- Functions that the planner can put in place of their calls: a strict one with a case or a greatest in it is called for
-- each row, which costs ten times what it does. Null gives null all the same.
-- +goose Up

create or replace function georgia_clock(t timestamptz) returns timestamp language sql immutable parallel safe
  return t at time zone case when t >= '2007-01-01 00:00+00' then 'EST5EDT,M3.2.0,M11.1.0'
                             when t >= '1987-01-01 00:00+00' then 'EST5EDT,M4.1.0,M10.5.0'
                             else 'EST5EDT,M4.5.0,M10.5.0' end;

create or replace function record_number(n bigint) returns text language sql immutable parallel safe
  return lpad(n::text, greatest(6, length(n::text)), '0');
