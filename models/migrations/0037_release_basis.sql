-- What a change knew of the release: an event of a release that nobody reported never tells it as a fact.
-- +goose Up

alter table changes
  add column release_inferred boolean not null default false, -- as of bookings, when the change was detected
  add column release_absent   boolean not null default false; -- the person was absent; no source stated a release

update changes c
set release_inferred = b.release_inferred, release_absent = b.release_after is not null
from bookings b
where b.rid = c.rid and b.release_inferred and b.released_at = c.released_at;
