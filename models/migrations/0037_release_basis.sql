-- What a change knew of the release: an event of a release that nobody reported never tells it as a fact.
-- +goose Up

alter table changes
  add column release_inferred boolean not null default false, -- as of bookings, when the change was detected
  add column release_absent   boolean not null default false; -- the person was absent; no source stated a release

-- Whether a release was inferred then is what the first version after the change says it was before, else what it is
-- today. How is not in the history: one that is another today counts as an absence, the weaker of what it can have
-- been.
update changes c
set release_inferred = true,
    release_absent = b.release_after is not null or not b.release_inferred
      or b.released_at is distinct from c.released_at
from bookings b
where b.rid = c.rid
  and c.released_at is not null
  and coalesce((
    select v.before
    from record_changes v
    where v.family = 'roster' and v.record = c.rid and v.at > c.detected_at and v.field = 'release_inferred'
    order by v.at, v.id
    limit 1
  ), b.release_inferred::text) = 'true';
