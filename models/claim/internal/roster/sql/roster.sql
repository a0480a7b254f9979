-- Bookings: what a run looks up, matches and counts (CLAIMS.md, section 3.5, steps 5 to 8).

-- name: roster_policy
-- Stores what the document of a source says about absence, because runs of other sources resolve bookings that this
-- one reports too (CLAIMS.md, rule 44).
update sources
set absence_releases = @releases, window_days = @window
where id = @source and (absence_releases, window_days) is distinct from (@releases, @window::int)

-- name: policies
-- Returns what some sources say about absence (CLAIMS.md, rule 44).
select id, absence_releases, window_days
from sources
where id = any(@sources::text[])

-- name: complete_of
-- Returns the complete snapshots of other sources, oldest first: an absence begins with one of them (CLAIMS.md,
-- rule 45).
select source_id, snapshot_at
from runs
where source_id = any(@sources::text[]) and complete and snapshot_at > @since
group by 1, 2
order by 1, 2

-- name: known_keys
-- Returns, in one pass over all rows, what is known of the keys that the source used before: how many rows there are,
-- how many of them are late and unchanged, and the keys whose rows must be read, with their bookings. Each key is
-- looked up by itself (limit). Where a booking has several keys, the one that comes again may lead; a complete
-- snapshot shows that by the keys that it lacks (CLAIMS.md, rules 25 and 62).
with several as materialized (
  select record from roster_claims where source_id = @source and how = 'rekeyed' and present
),
known as (
  select i.key, c.record, c.same, c.late,
    not c.same
    or i.key = any(@apart::text[])
    or @repeated and i.key in (select key from incoming group by key having count(*) > 1) as changed
  from incoming i
  cross join lateral (
    select c.record,
      (
        length(c.fingerprint) > 0
        and c.fingerprint = i.fingerprint
        and c.present
        and c.misses = 0
        and not c.disputed
        and c.record is not null)
      and (@complete or c.record not in (select record from several)) as same,
      i.said_at < greatest(c.said_at, (select last_complete from sources where id = @source)) as late
    from roster_claims c
    where c.source_id = @source and c.key = i.key and c.stay = 0
    limit 1
  ) c
)
select count(*), count(*) filter (where same and late),
  coalesce(array_agg(key order by key) filter (where changed), '{}'),
  coalesce(array_agg(coalesce(record, 0) order by key) filter (where changed), '{}')
from known

-- name: listed_together
-- Returns keys of one booking that were found to be the same, and that this snapshot lists together. They are two
-- bookings after all (CLAIMS.md, rule 35). A release by key lists nobody. Where an operator withheld the booking,
-- nobody knows whom of the two the order is about: they go apart once that is lifted.
select c.record, c.key, i.said_at
from (select distinct record from roster_claims where source_id = @source and how = 'rekeyed' and stay = 0) r
join roster_claims c on c.record = r.record
  and c.source_id = @source
  and c.stay = 0
  and c.how <> 'merged'
join incoming i on i.key = c.key and not i.key_only
where not exists (
  select
  from decisions d
  where d.family = 'roster'
    and d.record = c.record
    and d.kind = 'withhold'
    and d.reason = 'restricted'
    and d.ended_at is null)
group by 1, 2, 3, c.how_at
order by 1, c.how_at, 2, 3

-- name: any_near
-- Reports whether a county of the rows has bookings. Each county is looked up by itself (limit), in the index of this
-- order. Otherwise the server would read a table of a million other bookings to its end.
select exists (
    select
    from (select distinct county_id from incoming where county_id is not null) i
    cross join lateral (select from bookings where county_id = i.county_id order by booked_at desc limit 1) b)

-- name: near_bookings
-- Returns the bookings that newcomers may be, by county and time (CLAIMS.md, rules 34 and 36): within @reach, or on
-- the day where one of the two is a day alone. Newcomers are the rows of keys without a booking, and of those that now
-- name another one (@again). Of a repeated key the newest row counts. A booking that others were merged into comes once
-- for itself and once for each of them, with the claims of that one: Go resolves what these say, and who was merged is
-- recognised as before (rule 61).
with newcomers as materialized (
  select distinct on (i.key) i.key, i.county_id, i.booked_at, georgia_clock(i.booked_at) as clock,
    i.booked_at - georgia_clock(i.booked_at)::time as midnight
  from incoming i
  where i.booked_at is not null
    and (
      i.key = any(@again::text[])
      or not exists (
        select
        from roster_claims c
        where c.source_id = @source
          and c.key = i.key
          and c.stay = 0
          and c.record is not null))
  order by i.key, i.said_at desc, i.ord desc
),
merged as materialized (
  select c.record, c.source_id, c.key, c.stay, b.county_id, coalesce(o.gone, 0) as gone,
    (c.facts ->> 'booked_at')::timestamptz as booked_at
  from (select distinct merged_into as rid from bookings where merged_into is not null) k
  join bookings b on b.rid = k.rid
  join roster_claims c on c.record = k.rid
  left join claim_origins o on o.family = 'roster'
    and o.source_id = c.source_id
    and o.key = c.key
    and o.stay = c.stay
    and c.how = 'merged'
)
select n.key, r.rid, coalesce(m.gone, 0), m.record is not null, r.name, r.dob, r.booked_at, r.charges,
  r.released_at is not null, coalesce(c.mine, false), coalesce(c.person_key, ''), coalesce(c.named, '{}')
from newcomers n
join lateral (
  select coalesce(b.merged_into, b.rid) as rid
  from bookings b
  where b.county_id = n.county_id
    and b.booked_at between n.booked_at - @reach::interval and n.booked_at + @reach::interval
  union
  select coalesce(b.merged_into, b.rid)
  from bookings b
  where b.county_id = n.county_id
    and b.booked_at between n.midnight - @reach::interval and n.midnight + @reach::interval
  union
  select coalesce(b.merged_into, b.rid)
  from bookings b
  where n.clock::time = '00:00'
    and b.county_id = n.county_id
    and b.booked_at between n.booked_at and n.booked_at + interval '24 hours' + @reach::interval
  union
  select m.record
  from merged m
  where m.county_id = n.county_id
    and m.booked_at between n.booked_at - interval '24 hours' - @reach::interval
      and n.booked_at + interval '24 hours' + @reach::interval
) near on true
join bookings r on r.rid = near.rid
left join (select distinct record, gone from merged) m on m.record = r.rid
left join lateral (
  select true as mine, (array_agg(coalesce(k.person_key, '') order by k.said_at desc, k.key))[1] as person_key,
    array_agg(i.said_at order by i.said_at) filter (
      where i.said_at is not null and k.key <> all(@again::text[]) and k.stay = 0) as named
  from (select * from roster_claims where record = r.rid offset 0) k
  left join incoming i on i.key = k.key
  where k.source_id = @source
    and (
      m.record is null
      or (k.key, k.stay) in (
        select x.key, x.stay from merged x where x.record = r.rid and x.gone = m.gone and x.source_id = @source))
  having count(*) > 0
) c on true
order by n.key, r.rid, m.gone

-- name: origins
-- Returns which claims of bookings a merge brought, and from which booking.
select c.source_id, c.key, c.stay, o.gone
from roster_claims c
join claim_origins o on o.family = 'roster' and o.source_id = c.source_id and o.key = c.key and o.stay = c.stay
where c.record = any(@records::bigint[]) and c.how = 'merged'

-- name: new_rows
-- Opens the rows of keys without a claim, those of one key together. Ids follow the order of booking (CLAIMS.md,
-- section 2.3).
declare new_rows no scroll cursor for
select i.line, i.key, i.row
from incoming i
where not exists (select from roster_claims c where c.source_id = @source and c.key = i.key and c.stay = 0)
order by min(i.booked_at) over (partition by i.key), i.key, i.said_at, i.ord

-- name: new_rows_once
-- Opens the same rows where no key comes twice.
declare new_rows no scroll cursor for
select i.line, i.key, i.row
from incoming i
where not exists (select from roster_claims c where c.source_id = @source and c.key = i.key and c.stay = 0)
order by i.booked_at, i.ord

-- name: fetch_new_rows
-- Reads on in these rows.
fetch 10000 from new_rows

-- name: close_new_rows
-- Closes these rows.
close new_rows

-- name: fresh_keys
-- Returns the keys that nobody knew, for the key-turnover guard (CLAIMS.md, rule 18).
select distinct on (i.key) i.key, i.county_id, i.name_key, i.booked_at
from incoming i
where i.booked_at is not null
  and not exists (select from roster_claims c where c.source_id = @source and c.key = i.key and c.stay = 0)
order by i.key, i.said_at desc

-- name: vanished_keys
-- Returns the keys that were listed until now and that the snapshot lacks, for the same guard. A key whose booking the
-- snapshot has under a corrected key does not count, nor a booking that left the window by age (CLAIMS.md, rules 34
-- and 46).
select c.key, b.rid, b.county_id, b.name_key, b.booked_at
from roster_claims c
join bookings b on b.rid = c.record
where c.source_id = @source
  and c.present
  and c.stay = 0
  and (@window::int = 0 or b.booked_at >= @start)
  and not exists (select from incoming i where i.key = c.key)
  and not exists (
    select
    from roster_claims o
    join incoming i on i.key = o.key
    where o.record = c.record and o.source_id = @source and o.stay = 0 and o.how = 'rekeyed')

-- name: count_listed
-- Counts the keys that are listed, within the window (CLAIMS.md, rules 18 and 46).
select count(*)
from roster_claims c
where c.source_id = @source
  and c.present
  and c.stay = 0
  and (@window::int = 0 or exists (select from bookings b where b.rid = c.record and b.booked_at >= @start))

-- name: disputed_records
-- Returns the bookings about whose custody a claim of the source disagrees, and which the snapshot does not list:
-- another source may be silent since (CLAIMS.md, rule 47).
select distinct c.record
from roster_claims c
where c.source_id = @source
  and c.disputed
  and c.record is not null
  and not exists (select from incoming i where i.key = c.key and not i.key_only)

-- name: dated_later
-- Returns the bookings that absence shows as over since a later instant than that of a late snapshot, which may date
-- that anew: somebody who was seen after the first absence left with the next snapshot (CLAIMS.md, rules 44 and 47).
select distinct c.record
from roster_claims c
join bookings b on b.rid = c.record
where c.source_id = @source and not c.present and b.release_inferred and b.released_at > @at

-- name: last_stays
-- Returns the highest number of an earlier booking period under some keys (CLAIMS.md, rule 33).
select key, max(stay)
from roster_claims
where source_id = @source and key = any(@keys::text[])
group by key

-- name: earlier_bookings
-- Returns the released bookings that rows may repeat, under a number that was used again (CLAIMS.md, rule 33).
select b.rid
from unnest(@counties::smallint[], @booked::timestamptz[]) u (county_id, booked_at)
join bookings b on b.county_id = u.county_id and b.booked_at = u.booked_at
where b.released_at is not null

-- name: load_bookings
-- Returns bookings as they are stored.
select b.rid, b.id, b.source_id, b.county_id, b.name, b.dob, coalesce(b.birth_year, 0), b.booked_at, b.released_at,
  b.release_inferred, b.release_after, b.planned_release, b.charges, b.bond_cents, coalesce(b.agency, ''), b.withheld,
  coalesce(b.because_booking, 0), coalesce(b.because_case, 0), b.withheld_since, b.first_seen, b.last_seen,
  b.merged_into is not null, b.has_photo
from bookings b
where b.rid = any(@records::bigint[])

-- name: load_booking_charges
-- Returns their charges in order.
select rid, seq, description, coalesce(statute, ''), coalesce(severity, ''), bond_cents, coalesce(bond_text, ''),
  coalesce(bond_kind, ''), coalesce(disposition, '')
from booking_charges
where rid = any(@records::bigint[])
order by rid, seq

-- name: doubled_keys
-- Counts the bookings that the snapshot would make, those of them whose person the source booked within two days of
-- that already, under a key that the snapshot lacks or under a number that is used again, and those of these whose
-- time is the same. @dealt are the keys that were recognised as bookings that are known. The words of a name count in
-- any order: a key that is made of the name is another one where first and last names are exchanged. Each newcomer is
-- looked up by itself (offset 0): else all claims of the source would be read for it.
with came as (
  select distinct on (i.key) i.key, i.county_id, i.name_key, i.booked_at, sorted_words(i.name_key) as words
  from incoming i
  where i.booked_at is not null
    and i.key <> all(@dealt::text[])
    and not exists (select from roster_claims c where c.source_id = @source and c.key = i.key and c.stay = 0)
  order by i.key, i.said_at desc, i.ord desc
)
select count(*), count(d.same), count(*) filter (where d.same)
from came n
left join lateral (
  select bool_or(b.booked_at = n.booked_at) as same
  from (
    select rid, booked_at
    from bookings
    where county_id = n.county_id
      and booked_at between n.booked_at - @within::interval and n.booked_at + @within::interval
      and (name_key = n.name_key or length(name_key) = length(n.name_key) and sorted_words(name_key) = n.words)
      and merged_into is null
    offset 0
  ) b
  cross join lateral (select key from roster_claims where record = b.rid and source_id = @source offset 0) c
  where c.key = n.key or not exists (select from incoming i where i.key = c.key)
) d on true

-- name: known_elsewhere
-- Counts the bookings that the snapshot of a county would make of people whom the same source reported in another one
-- by @last, with the same name and time of booking (CLAIMS.md, rule 18). Somebody who was released there and is in jail
-- here was moved, and does not count. Each newcomer is looked up by itself (offset 0), in the index of this order.
with came as (
  select distinct on (i.key) i.key, i.county_id, i.name_key, i.booked_at, i.ended_at
  from incoming i
  where i.booked_at is not null
    and i.key <> all(@dealt::text[])
    and not exists (select from roster_claims c where c.source_id = @source and c.key = i.key and c.stay = 0)
  order by i.key, i.said_at desc, i.ord desc
)
select count(*)
from came n
where exists (
  select
  from (
    select rid, released_at
    from bookings
    where booked_at = n.booked_at
      and withheld is null
      and merged_into is null
      and name_key = n.name_key
      and county_id <> n.county_id
    offset 0
  ) b
  cross join lateral (select source_id, first_at from roster_claims where record = b.rid offset 0) c
  join sources s on s.id = c.source_id
  where s.parent = (select parent from sources where id = @source)
    and c.first_at <= @last
    and (b.released_at is null or n.ended_at is not null))

-- name: facts_known
-- Counts the known bookings that the snapshot names, and those of them whose birth, charges and bond are known, for
-- the mass-change guard (CLAIMS.md, rule 19). A release by number alone names nobody.
select count(*), count(b.birth_year), count(*) filter (where b.charges <> '{}'), count(b.bond_cents)
from (select distinct key from incoming where booked_at is not null) i
join roster_claims c on c.source_id = @source and c.key = i.key and c.stay = 0
join bookings b on b.rid = c.record

-- name: open_bookings
-- Counts the open bookings of the source before the run, for the mass-change guard (CLAIMS.md, rule 19).
select count(distinct c.record)
from roster_claims c
join bookings b on b.rid = c.record
where c.source_id = @source and c.present and b.released_at is null

-- name: rows_of_keys
-- Returns the rows of some keys, oldest first: rows of a key are folded in the order of their instants (CLAIMS.md,
-- rule 28).
select i.line, i.key, i.row
from incoming i
where i.key = any(@keys::text[])
order by i.key, i.said_at, i.ord

-- name: because_of
-- Returns because of which record a booking is withheld, or was until an operator lifted it. A decision counts for
-- that ground alone (CLAIMS.md, rule 72).
select coalesce(b.because_booking, d.because, 0), coalesce(b.because_case, 0)
from bookings b
left join decisions d on d.family = 'roster'
  and d.record = b.rid
  and d.ended_at is null
  and d.because_family = 'roster'
  and b.withheld is null
where b.rid = @record
limit 1
