-- Requests that happen once (DECISIONS.md, "Alerts": Idempotency-Key).

-- name: claim_idempotency_key
-- Takes a key for a request. No row is written while the key belongs to another request, or while this request was
-- answered or is being answered.
insert into idempotency_keys as k (account_id, key, request, created_at)
values (@account, @key, @request, @now)
on conflict (account_id, key) do update
set request = excluded.request, status = null, body = null, bookings = '{}', court_cases = '{}',
    corrections_records = '{}', created_at = excluded.created_at
where k.created_at < @forgotten
   or (k.status is null and k.created_at < @dead)

-- name: keep_answer
-- Stores the answer of a request. created_at identifies the request that took the key, since another may have taken it
-- over. Of each family it notes the records whose ids the answer holds, or that were read for it. The id of a case ends
-- in its key. Where one of them is withheld by now nothing is kept. A transaction that hides one at this moment waits,
-- and then finds the answer.
with shown_bookings as (
  select rid, published or merged_into is not null as open
  from known_bookings
  where id = any(@ids::text[])
  for share
),
shown_cases as (
  select id, published or merged_into is not null as open
  from known_cases
  where id in (
      select substring(text from '^case-.*-([0-9]{1,18})$')::bigint
      from unnest(@ids::text[]) text
      where text like 'case-%')
  for share
),
shown_corrections as (
  select cid, published or merged_into is not null as open
  from known_corrections
  where gdc_id = any(@ids::text[])
  for share
),
hidden as (
  select from shown_bookings where not open
  union all
  select from shown_cases where not open
  union all
  select from shown_corrections where not open
),
forgotten as (
  delete from idempotency_keys
  where account_id = @account
    and key = @key
    and created_at = @claimed
    and status is null
    and exists (select from hidden)
)
update idempotency_keys
set status = @status,
    body = @body,
    bookings = array(select rid from shown_bookings),
    court_cases = array(select id from shown_cases),
    corrections_records = array(select cid from shown_corrections)
where account_id = @account
  and key = @key
  and created_at = @claimed
  and status is null
  and not exists (select from hidden)
