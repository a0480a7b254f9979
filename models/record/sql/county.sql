-- Figures of a county's jail.

-- name: county_now
-- Returns the figures of the people in custody, and the median length of a booking. The median of an even number of
-- bonds is the mean of the two in the middle, in whole cents.
select (
    select least(min(first_seen), min(released_at) filter (where imported))
    from published_bookings
    where county_id = @county) as observed_since,
  count(*) as population, count(bond_cents) as with_bond,
  (
    percentile_disc(0.5) within group (order by bond_cents)
    + percentile_disc(0.5) within group (order by bond_cents desc)
  ) / 2 as median_bond_cents,
  (
    select percentile_cont(0.5) within group (order by extract(epoch from released_at - booked_at))
    from published_bookings
    where county_id = @county and released_at >= @since and released_at >= booked_at) as median_seconds
from published_bookings
where county_id = @county and status = 'booked'

-- name: county_days
-- Returns each local day, with what it adds to the figures of its week.
with came as (
  select georgia_clock(booked_at)::date as day, count(*) as n,
    array_agg(bond_cents) filter (where bond_cents is not null) as bonds
  from published_bookings
  where county_id = @county and booked_at >= @since
  group by 1
),
left_jail as (
  select georgia_clock(released_at)::date as day, count(*) as n,
    array_agg(extract(epoch from released_at - booked_at)::float8) filter (where released_at >= booked_at) as held
  from published_bookings
  where county_id = @county and released_at >= @since
  group by 1
)
select d::date, coalesce(c.n, 0), coalesce(l.n, 0), c.bonds, l.held
from generate_series(@first::date, @first::date + @days::int - 1, interval '1 day') d
left join came c on c.day = d::date
left join left_jail l on l.day = d::date
order by 1

-- name: county_recent
-- Returns how many people each county booked and released since a moment, of counties that did either.
select c.id, n.booked, n.released
from counties c
cross join lateral (
  select
    (select count(*) from published_bookings b where b.county_id = c.id and b.booked_at >= @since) as booked,
    (select count(*) from published_bookings b where b.county_id = c.id and b.released_at >= @since) as released
) n
where n.booked > 0 or n.released > 0
order by n.booked desc, n.released desc, c.name
