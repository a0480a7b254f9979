-- Requests that happen once (DECISIONS, "Alerts": Idempotency-Key).

-- name: claim_idempotency_key
-- No row is touched while the key belongs to another request, or to this one and it was answered or is being answered.
insert into idempotency_keys as k (account_id, key, request, created_at)
values (@account, @key, @request, @now)
on conflict (account_id, key) do update
set request = excluded.request, status = null, body = null, records = '{}', created_at = excluded.created_at
where k.created_at < @forgotten
   or (k.status is null and k.created_at < @dead)

-- name: keep_answer
-- created_at tells this claim from one that took the key over after this one counted as dead. records are the bookings
-- whose ids the answer holds.
update idempotency_keys
set status = @status,
    body = @body,
    records = array(select rid from known_bookings where id = any (@ids::text[]))
where account_id = @account and key = @key and created_at = @claimed and status is null
