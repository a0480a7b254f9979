-- Calendar subscriptions.

-- name: create_calendar_subscription
-- Stores a subscription to a case. Only a published case can be subscribed to.
insert into calendar_subscriptions (id, account_id, case_id, label, sha256, created_at)
select @id, a.id, c.id, @label, @sha256, @now
from accounts a, published_cases c
where a.id = @account and c.id = @case

-- name: calendar_subscriptions
-- Returns the subscriptions of an account, newest first. While a case is withheld, its number and the label are blank,
-- because either may name the withheld person. A merged case is shown as the one that stayed, while it is merged.
select f.id, f.account_id, k.county_id, f.created_at, f.revoked_at, c.id as shown_case,
  coalesce(c.case_number, '') as case_number, case when c.id is not null then f.label else '' end as label
from calendar_subscriptions f
join known_cases k on k.id = f.case_id
left join reachable_cases g on g.id = f.case_id
left join published_cases c on c.id = coalesce(g.merged_into, g.id)
where f.account_id = @account
order by f.created_at desc, f.id desc

-- name: subscription_of_token
-- Returns the account of the subscription that a token opens, and the case that it shows: of a merged case the one that
-- stayed, and 0 while the case is withheld.
select f.account_id, coalesce(c.merged_into, c.id, 0) as case_key
from calendar_subscriptions f
left join reachable_cases c on c.id = f.case_id
where f.sha256 = @sha and f.revoked_at is null
