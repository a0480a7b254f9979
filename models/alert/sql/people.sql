-- Hits of an account on the bookings of people.

-- name: hits_on_bookings
-- Returns the newest hits of an account on each of some bookings.
select h.*
from unnest(@rids::bigint[]) r (rid)
cross join lateral (
  select * from published_hits where account_id = @account and rid = r.rid order by at desc, id desc limit @each
) h
