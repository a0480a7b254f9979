-- Who made an API key, under which secret key a document is kept, and an index of watchers less.
-- +goose Up

-- Who made it: an email address, or the command line. No reference: it outlives the user. Of keys that were made
-- before, the audit trail says who made them.
alter table api_keys add column created_by text not null default 'command line' check (created_by <> '');
update api_keys k
set created_by = coalesce((
  select e.actor
  from account_events e
  where e.account_id = k.account_id and e.action in ('key made', 'key regenerated')
    and e.subject = k.label || ' (' || k.prefix || '…)' and e.actor not like 'command line%'
  order by e.id
  limit 1), k.created_by);
alter table api_keys alter column created_by drop default;

-- The id of the key stands in front of a digest. Digests that were stored before have none.
alter table archive_contents
  drop constraint archive_contents_digest_check,
  add constraint archive_contents_digest_check check (length(digest) in (32, 44));

-- Nothing asked for watchers by county, and each change of many watchers wrote it.
drop index watchers_county;
