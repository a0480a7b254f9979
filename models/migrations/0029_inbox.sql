-- The inbox of an account: who reads, takes and answers its hits (docs/decisions/0032-inbox.md).
-- +goose Up

-- Writes out who acts: a user by address, a key by its label and prefix. What holds it outlives users and keys.
create function actor_of(a_user text, a_key text) returns text language sql stable as $$
  select coalesce(
    (select email from users where id = a_user),
    (select 'key ' || label || ' (' || prefix || '…)' from api_keys where id = a_key),
    'a program')
$$;

alter table hits
  add column read_at     timestamptz,                      -- when it was marked as read
  add column assignee_id text collate "C" references users on delete set null,
  add column rev         integer not null default 0,       -- how often it was read, assigned or answered
  add column handled_by  text,                             -- who did so last (actor_of)
  add column handled_at  timestamptz,
  add column state       text not null generated always as (
    case
      when feedback = 'confirm' then 'confirmed'
      when feedback = 'dismiss' then 'dismissed'
      when assignee_id is not null then 'assigned'
      when read_at is not null then 'read'
      else 'unread'
    end) stored;
create index hits_state on hits (account_id, state, at desc, id desc);
create index hits_assignee on hits (assignee_id, at desc, id desc) where assignee_id is not null;

drop view published_hits;
-- Hits on bookings that are published, as accounts see them.
create view published_hits as
select h.*,
  b.id as record_id,
  -- Whether the watcher and the record both have a date or year of birth; a watcher's age says its year.
  (w.dob is not null or w.birth_year is not null or w.age is not null)
    and (b.dob is not null or b.birth_year is not null) as born_compared,
  -- What its dismissal covers; null: it is not dismissed.
  (select case when d.spelling is null then 'person' else 'spelling' end
   from dismissals d
   where d.hit_id = h.id) as scope,
  (select u.email from users u where u.id = h.assignee_id) as assignee
from hits h
join published_bookings b on b.rid = h.rid
join watchers w on w.id = h.watcher_id;
