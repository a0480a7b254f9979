-- The audit trail of an account.

-- name: record_deed
-- Writes an entry of the trail. The actor is written out, because the trail outlives users and keys.
insert into account_events (account_id, at, actor, action, subject)
select @account, @now, actor_of(@user, @key), @action, @subject

-- name: account_events
-- Returns a page of the trail, newest first. An entry may name a record: a case by its number, or a booking by its id,
-- which is the first word. While the record is withheld the subject is what stands behind its id and " · ". A merged
-- record counts as published as long as the one that stayed is.
select e.id, e.account_id, e.at, e.actor, e.action,
  case
    when hidden_case.yes or hidden_booking.yes or hidden_other.yes then split_part(e.subject, ' · ', 2)
    else e.subject
  end as subject
from account_events e
cross join lateral (
  select e.action in ('calendar address made', 'calendar address created')
    and exists (select from withheld_cases c where c.case_number = e.subject) as yes
) hidden_case
cross join lateral (
  select exists (select from withheld_bookings b where b.id = split_part(e.subject, ' ', 1)) as yes
) hidden_booking
cross join lateral (
  -- A case by its public id, or a corrections record.
  select exists (
      select
      from withheld_cases c
      where c.id = substring(split_part(e.subject, ' ', 1) from '^case-.*-([0-9]{1,18})$')::bigint)
    or exists (
      select
      from known_corrections o
      where o.gdc_id = regexp_replace(split_part(e.subject, ' ', 1), '^gdc-', '')
        and not o.published
        and o.merged_into is null) as yes
) hidden_other
where e.account_id = @account
  and (@before::bigint = 0 or e.id < @before)
  and (@action::text = '' or strpos(lower(e.action), lower(@action)) > 0)
  and (@actor::text = '' or strpos(lower(e.actor), lower(@actor)) > 0)
  and (@since::timestamptz is null or e.at >= @since)
  and (@until::timestamptz is null or e.at < @until)
order by e.id desc
limit @limit
