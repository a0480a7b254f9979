-- Records that wait for a review, and those that an operator decided about (CLAIMS.md, rule 72).

-- name: reviews
-- Returns withheld records of all families with the newest decision about each. Each branch begins with the few that
-- are withheld for review or were decided about, which indexes find.
with decided as (
  select d.id, d.family, d.record, d.reason::text as reason,
    case d.kind when 'publish' then 'lifted' else 'kept' end as decision, d.actor, d.note, d.decided_at
  from decisions d
  where d.kind in ('publish', 'withhold') and d.ended_at is null
  union all
  -- To lift an operator's restriction ends at once, because nothing speaks against the record any more. It stays on the
  -- list of decided records while the record is published.
  select d.id, d.family, d.record, d.reason::text, 'lifted', d.actor, d.note, d.decided_at
  from decisions d
  where d.kind = 'publish'
    and d.reason = 'restricted'
    and d.ended_at is not null
    and not exists (
      select
      from decisions l
      where l.family = d.family
        and l.record = d.record
        and l.kind in ('publish', 'withhold')
        and (l.ended_at is null or l.reason = 'restricted' and l.id > d.id))
    and case d.family
      when 'roster' then exists (select from bookings where rid = d.record and withheld is null)
      when 'courts' then exists (select from court_cases where id = d.record and withheld is null)
      else exists (select from corrections_records where cid = d.record and withheld is null)
    end
),
bookings_at_hand as (
  select b.id, 'roster' as family, b.rid as record,
    coalesce(
      case when b.withheld in ('maybe restricted', 'maybe juvenile') then b.withheld::text end,
      (
        select reason
        from decided r
        where r.family = 'roster' and r.record = b.rid
        order by reason = coalesce(b.withheld::text, '') desc, id desc
        limit 1)) as reason,
    b.source_id, b.name, b.birth_year, b.booked_at as at,
    coalesce(
      (select id from bookings where rid = b.because_booking),
      (
        select 'case-' || y.slug || '-' || c.id
        from court_cases c
        join counties y on y.id = c.county_id
        where c.id = b.because_case)) as because,
    b.withheld is distinct from 'maybe restricted'
    and b.because_booking is null
    and b.because_case is null
    and exists (
      select
      from roster_claims c
      where c.record = b.rid
        and c.evidence->>'more_at' is null
        and (c.evidence->>'retracted_at')::timestamptz >= (c.evidence->>'juvenile_at')::timestamptz) as taken_back,
    greatest(
      b.last_seen,
      (select max(c.at) from claims_seen c where c.family = 'roster' and c.record = b.rid)) as last_seen,
    b.withheld::text, b.withheld_since, b.merged_into, b.county_id
  from bookings b
  where b.rid in (
    select rid from bookings where withheld in ('maybe restricted', 'maybe juvenile')
    union all
    select record from decided where family = 'roster')
),
cases_at_hand as (
  select 'case-' || y.slug || '-' || c.id, 'courts', c.id,
    coalesce(
      case when c.withheld in ('maybe restricted', 'maybe juvenile') then c.withheld::text end,
      (
        select reason
        from decided r
        where r.family = 'courts' and r.record = c.id
        order by reason = coalesce(c.withheld::text, '') desc, id desc
        limit 1)),
    c.source_id, c.defendant, c.birth_year, c.filed_date::timestamp at time zone 'America/New_York',
    (select id from bookings where rid = c.because_booking), false,
    greatest(c.last_seen, (select max(snapshot_at) from hearings where case_id = c.id)), c.withheld::text,
    c.withheld_since, c.merged_into, c.county_id
  from court_cases c
  join counties y on y.id = c.county_id
  where c.id in (
    select id from court_cases where withheld in ('maybe restricted', 'maybe juvenile')
    union all
    select record from decided where family = 'courts')
),
offenders_at_hand as (
  select o.gdc_id, 'corrections', o.cid,
    coalesce(
      case when o.withheld in ('vanished', 'maybe restricted', 'maybe juvenile') then o.withheld::text end,
      (
        select reason
        from decided r
        where r.family = 'corrections' and r.record = o.cid
        order by reason = coalesce(o.withheld::text, '') desc, id desc
        limit 1)),
    o.source_id, o.name, o.birth_year, null::timestamptz, null, false,
    greatest(o.last_seen, (select max(c.at) from claims_seen c where c.family = 'corrections' and c.record = o.cid)),
    o.withheld::text, o.withheld_since, o.merged_into, null::smallint
  from corrections_records o
  where o.cid in (
    select cid from corrections_records where withheld in ('vanished', 'maybe restricted', 'maybe juvenile')
    union all
    select record from decided where family = 'corrections')
)
select w.id, w.family, w.record as key, w.reason, w.source_id, w.name, w.birth_year, w.at, w.because, w.taken_back,
  w.withheld_since as since, w.last_seen, r.decision, r.actor, r.note, r.decided_at, coalesce(r.id, 0) as review_id,
  count(*) over () as total
from (
  select * from bookings_at_hand
  union all
  select * from cases_at_hand
  union all
  select * from offenders_at_hand
) w
left join decided r on r.family = w.family and r.record = w.record and r.reason = w.reason
where case
  when @id::text = '' then
    (r.decision is not null) = @decided
    and (@decided or w.withheld = w.reason)
    and (@source::text = '' or @source in (w.source_id, split_part(w.source_id, ':', 1)))
    and (@reason::text = '' or w.reason = @reason)
    and (@county::smallint is null or w.county_id = @county)
    and (@seen_since::timestamptz is null or w.last_seen >= @seen_since)
    and (@seen_until::timestamptz is null or w.last_seen < @seen_until)
  else
    w.id = @id
    and w.merged_into is null
    and (w.withheld is null or w.withheld = w.reason)
end
order by case when @decided then r.decided_at end desc, w.withheld_since, w.family, w.record
limit @limit offset @skip

-- name: one_review_at_a_time
-- Locks the reviews of a record, so that of two decisions about it the second sees the first.
select pg_advisory_xact_lock(hashtextextended('review ' || @id, 0))

-- name: withheld_as
-- Returns why a record is withheld that no operator can decide about.
select withheld
from (
  select withheld from bookings where id = @id
  union all
  select withheld from corrections_records where gdc_id = @id
  union all
  select c.withheld
  from court_cases c
  join counties k on k.id = c.county_id
  where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint and @id = 'case-' || k.slug || '-' || c.id
) x
where withheld is not null
limit 1

-- name: merged_by_id
-- Finds a record by its public id, withheld or not, merged or not: the one that stayed first, then those that were
-- merged into it. Cases have no photographs, so of them the family alone counts.
select family, record
from (
  select 'roster' as family, r.rid as record, r.merged_into
  from bookings b
  join bookings r on r.rid = coalesce(b.merged_into, b.rid) or r.merged_into = coalesce(b.merged_into, b.rid)
  where b.id = @id
  union all
  select 'corrections', r.cid, r.merged_into
  from corrections_records c
  join corrections_records r on r.cid = coalesce(c.merged_into, c.cid) or r.merged_into = coalesce(c.merged_into, c.cid)
  where c.gdc_id = @id
  union all
  select 'courts', c.id, null
  from court_cases c
  join counties k on k.id = c.county_id
  where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint and @id = 'case-' || k.slug || '-' || c.id
) x
order by merged_into nulls first, record

-- name: record_by_id
-- Finds a record by its public id, withheld or not, for an operator who restricts it. A merged one has no visibility of
-- its own (CLAIMS.md, section 3.4).
select 'roster' as family, rid as record, source_id from bookings where id = @id and merged_into is null
union all
select 'corrections', cid, source_id from corrections_records where gdc_id = @id and merged_into is null
union all
select 'courts', c.id, c.source_id
from court_cases c
join counties k on k.id = c.county_id
where c.id = substring(@id::text from '-([0-9]{1,18})$')::bigint
  and @id = 'case-' || k.slug || '-' || c.id
  and c.merged_into is null
limit 1
