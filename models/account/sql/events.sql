-- The trail of an account.

-- name: record_deed
-- The actor is written out: the trail outlives users and keys.
insert into account_events (account_id, at, actor, action, subject)
select @account, @now,
  coalesce(
    (select email from users where id = @user),
    (select 'key ' || label || ' (' || prefix || '…)' from api_keys where id = @key),
    'a program'),
  @action, @subject

-- name: account_events
-- An entry may name a record: a case by its number, or a booking by its id, which is the first word. It is left out while
-- nothing of that record may be shown. A merged record may be shown as long as the one that it went into.
select e.id, e.account_id, e.at, e.actor, e.action,
  case when hidden_case.yes or hidden_booking.yes then '' else e.subject end as subject
from account_events e
cross join lateral (
  select e.action = 'calendar address made' and exists (
    select from court_cases c
    where c.case_number = e.subject and c.withheld is not null
      and (c.withheld <> 'merged' or not exists (
        select from merged_records m join court_cases k on k.id = m.record
        where m.family = 'courts' and m.gone = c.id and k.withheld is null))) as yes
) hidden_case
cross join lateral (
  select e.action like 'hit judged%' and exists (
    select from bookings b
    where b.id = split_part(e.subject, ' ', 1) and b.withheld is not null
      and (b.withheld <> 'merged' or not exists (
        select from merged_records m join bookings k on k.rid = m.record
        where m.family = 'roster' and m.id = b.id and k.withheld is null))) as yes
) hidden_booking
where e.account_id = @account and (@before::bigint = 0 or e.id < @before)
order by e.id desc
limit @limit
