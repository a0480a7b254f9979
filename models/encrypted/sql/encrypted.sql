-- Values that are encrypted at rest, as a new secret key takes them over. A key is named by the 12 bytes in front of a
-- value (aead.KeyID); values from before there were ids begin with other bytes. Of a content the digest names it, as
-- chunks and digest are renewed together. One whose chunks are not all stored is never read, so it does not count.

-- name: under_keys
-- Counts the values by their kind and key; a key that is null: stored before there were ids.
with of (kind, stored) as (
  select 1, digest from archive_contents where stored is not null
  union all
  select 2, substring(encrypted from 1 for 12) from quarantine
  union all
  select 3, current from webhook_secrets
  union all
  select 3, next from webhook_secrets where next is not null
)
select kind,
  case when starts_with(encode(stored, 'escape'), @mark) then substring(stored from 1 for 12) end as key,
  count(*)::int
from of
group by 1, 2
order by 1, 2 nulls first

-- name: without_id
-- Returns a value of each kind that was stored before there were ids, and whose it is: to try the keys on.
(select 1 as kind, c.source_id as owner, k.encrypted
 from archive_contents c
 join archive_chunks k on k.content_id = c.id and k.seq = 0
 where c.stored is not null and not starts_with(encode(substring(c.digest from 1 for 12), 'escape'), @mark)
 order by c.id
 limit 1)
union all
(select 2, source_id, encrypted
 from quarantine
 where not starts_with(encode(substring(encrypted from 1 for 12), 'escape'), @mark)
 order by id
 limit 1)
union all
(select 3, account_id, current
 from webhook_secrets
 where not starts_with(encode(substring(current from 1 for 12), 'escape'), @mark)
 order by account_id
 limit 1)

-- name: next_content
-- Returns and locks the first content after @after that is under another key.
select id, source_id, digest
from archive_contents
where id > @after and stored is not null and substring(digest from 1 for 12) <> @key
order by id
limit 1
for no key update

-- name: chunk
-- Returns a chunk of a content.
select encrypted
from archive_chunks
where content_id = @content and seq = @seq

-- name: put_chunk
-- Stores a chunk anew.
update archive_chunks
set encrypted = @encrypted
where content_id = @content and seq = @seq

-- name: twin
-- Returns the content of a source with a digest: the same document, which came again since the key is another one.
select id
from archive_contents
where source_id = @source and digest = @digest and stored is not null

-- name: put_content
-- Stores the digest of a content whose chunks are renewed, and their size.
update archive_contents
set digest = @digest, stored = @bytes
where id = @content

-- name: lead_to_twin
-- Leads the archives of a content to the one of the same document.
update archives
set content_id = @twin
where content_id = @content

-- name: drop_content
-- Deletes a content to which no archive refers any more, with its chunks.
delete from archive_contents
where id = @content

-- name: next_rows
-- Returns and locks rows after @after that are under another key. Rows that a run holds are passed over: to wait for
-- them with others locked could end the run.
select id, source_id, field, reason, encrypted, fingerprint
from quarantine
where id > @after and substring(encrypted from 1 for 12) <> @key
order by id
limit @limit
for update skip locked

-- name: put_rows
-- Stores rows anew. A row that came again since the key is another one waits twice, and only the new one counts what
-- comes.
update quarantine q
set encrypted = r.encrypted,
  fingerprint = case when q.resolved_at is not null or not exists (
    select from quarantine o
    where o.source_id = q.source_id and o.fingerprint = r.fingerprint and o.resolved_at is null and o.id <> q.id
  ) then r.fingerprint end
from (
  select unnest(@ids::bigint[]) as id, unnest(@encrypted::bytea[]) as encrypted,
    unnest(@fingerprints::bytea[]) as fingerprint
) r
where q.id = r.id

-- name: next_secret
-- Returns and locks the secrets of the first account after @after of which one is under another key.
select account_id, current, next
from webhook_secrets
where account_id > @after and (substring(current from 1 for 12) <> @key or substring(next from 1 for 12) <> @key)
order by account_id
limit 1
for update

-- name: put_secret
-- Stores the secrets of an account anew.
update webhook_secrets
set current = @current, next = @next
where account_id = @account
