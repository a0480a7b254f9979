-- Calendar subscriptions.

-- name: create_calendar_feed
-- Only a published case can be subscribed to.
insert into calendar_feeds (id, account_id, case_id, label, sha256, created_at)
select @id, a.id, c.id, @label, @sha256, @now
from accounts a, court_cases c
where a.id = @account and c.id = @case and c.withheld is null

-- name: calendar_feeds
-- While a case is withheld, its number and the label of its feed are not shown: either may name whom it hides. A case that
-- was merged into another one is read as that one.
select f.id, f.account_id, c.county_id, f.created_at, f.revoked_at,
  case when shown.yes then c.id end as case_key,
  case when shown.yes then c.case_number else '' end as case_number,
  case when shown.yes then f.label else '' end as label
from calendar_feeds f
join court_cases c on c.id = f.case_id
cross join lateral (
  select c.withheld is null or (c.withheld = 'merged' and exists (
    select from merged_records m join court_cases k on k.id = m.record
    where m.family = 'courts' and m.gone = c.id and k.withheld is null)) as yes
) shown
where f.account_id = @account
order by f.created_at desc, f.id desc
