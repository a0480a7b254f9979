-- Requests that happen once (DECISIONS.md, "Alerts": Idempotency-Key).

-- name: claim_idempotency_key
-- Takes a key for a request. No row is written while the key belongs to another request, or while this request was
-- answered or is being answered.
insert into idempotency_keys as k (account_id, key, request, created_at)
values (@account, @key, @request, @now)
on conflict (account_id, key) do update
set request = excluded.request, status = null, body = null, records = '{}', created_at = excluded.created_at
where k.created_at < @forgotten
   or (k.status is null and k.created_at < @dead)

-- name: keep_answer
-- Stores the answer of a request. created_at identifies the request that took the key, since another may have taken it
-- over. records are the bookings whose ids the answer holds.
update idempotency_keys
set status = @status,
    body = @body,
    records = array(select rid from known_bookings where id = any (@ids::text[]))
where account_id = @account and key = @key and created_at = @claimed and status is null
