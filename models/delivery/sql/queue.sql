-- The queue of deliveries (docs/decisions/0005-delivery-queue.md).

-- name: claim_deliveries
-- Takes the deliveries that are due longest. It looks without locks, shares out among webhooks, and then locks what it
-- picked. A delivery that another process took meanwhile no longer fulfils the conditions.
with look as (
  select id, webhook_id, next_attempt
  from deliveries
  where way = @way
    and state in ('pending', 'failed')
    and next_attempt <= @now
    and (leased_until is null or leased_until <= @now)
    and webhook_id <> all (@except::text[])
  order by next_attempt
  limit @look
),
shared as (
  select id
  from (
    select id, next_attempt, row_number() over (partition by webhook_id order by next_attempt, id) as place
    from look
  ) ranked
  where place <= @each
  order by next_attempt, id
  limit @most
),
picked as (
  select id
  from deliveries
  where id in (select id from shared)
    and state in ('pending', 'failed')
    and next_attempt <= @now
    and (leased_until is null or leased_until <= @now)
  for update skip locked
)
update deliveries d
set leased_until = @until, leased_by = @by
from picked p
where d.id = p.id
returning d.id, d.webhook_id,
  (select count(*) from look) = @look or (select count(*) from look) > (select count(*) from shared) as more

-- name: gather_mail
-- Takes the deliveries of an endpoint that are due, or one of them, for one mail. A plain claim of one of them ends by
-- that, in whichever process: only the lease of a mail is the right to send it. It waits for rows that another
-- statement holds for a moment, in the order of all others: one that it passed over would be a mail of its own.
with picked as (
  select id
  from deliveries
  where id in (
      select id
      from deliveries
      where webhook_id = @webhook
        and state in ('pending', 'failed')
        and next_attempt <= @now
        and (leased_until is null or leased_until <= @now or not starts_with(leased_by, @mails))
        and (@only = '' or id = @only)
      order by created_at, id
      limit @most
    )
    and state in ('pending', 'failed')
    and (leased_until is null or leased_until <= @now or not starts_with(leased_by, @mails))
  order by id
  for update
)
update deliveries d
set leased_until = @until, leased_by = @by
from picked p
where d.id = p.id
returning d.id

-- name: plan_digest
-- Plans what waits for the digest of an endpoint anew, when the account chooses another.
update deliveries d
set next_attempt = @at, updated_at = @now
from (
  select id
  from deliveries
  where webhook_id = @webhook and state = 'pending' and next_attempt > @now
  order by id
  for update
) open
where d.id = open.id

-- name: lease_deliveries
-- Renews the lease of deliveries that this process works on.
update deliveries d
set leased_until = @until
from (
  select id
  from deliveries
  where id = any (@ids::text[]) and leased_by = @by and state in ('pending', 'failed')
  order by id
  for update
) held
where d.id = held.id

-- name: load_deliveries
-- Returns what is needed to send deliveries. A test goes to a paused or disabled endpoint too. "drop" is why a
-- delivery must not be attempted, a models.DropReason; empty means that it may. What takes something back is sent
-- although the watcher is paused or the person dismissed (docs/decisions/0008-stopped-alerts.md).
select d.id, d.account_id, d.webhook_id, d.message_id, d.kind, w.url, w.digest, w.bounces, w.bin,
  coalesce(a.name, '') as watched, x.dob, x.birth_year, x.old_bond_cents,
  coalesce(x.release_inferred, false) as release_inferred, coalesce(x.release_absent, false) as release_absent,
  (select jsonb_agg(jsonb_build_object('BondKind', g.bond_kind, 'BondText', g.bond_text) order by g.seq)
   from published_booking_charges g
   where g.rid = x.rid and x.bond_cents is null and g.bond_kind is not null) as bond_charges,
  d.body, d.match, d.event_id is null as test,
  s.current as secret, s.next as next_secret,
  d.state, d.round, d.failures, d.next_attempt as due, d.created_at, w.failing_since,
  case
    when w.deleted_at is not null or a.deleted_at is not null then 'cancelled'
    when not c.entitled then 'plan'
    when d.way = 'email' and w.status = 'disabled' then 'disabled'
    when d.event_id is null then ''
    when d.withheld then 'sealed'
    when w.status = 'disabled' then 'disabled'
    when w.paused then 'paused'
    when a.id is null then ''
    when a.paused and not d.owed then 'paused'
    when d.dismissed and not d.owed then 'dismissed'
    else ''
  end as drop
from deliveries_now d
join webhooks w on w.id = d.webhook_id
join accounts c on c.id = d.account_id
left join watchers a on a.id = d.watcher_id
left join events e on e.id = d.event_id
left join changes x on x.id = e.change_id
left join webhook_secrets s on s.account_id = d.account_id
where d.id = any (@ids::text[]) and d.leased_by = @by and d.state in ('pending', 'failed')
