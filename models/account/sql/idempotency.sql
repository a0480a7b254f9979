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
-- in its key.
update idempotency_keys
set status = @status,
    body = @body,
    bookings = array(select rid from known_bookings where id = any (@ids::text[])),
    court_cases = array(
      select c.id
      from unnest(@ids::text[]) i (text)
      join known_cases c on c.id = substring(i.text from '^case-.*-([0-9]{1,18})$')::bigint),
    corrections_records = array(select cid from known_corrections where gdc_id = any (@ids::text[]))
where account_id = @account and key = @key and created_at = @claimed and status is null
