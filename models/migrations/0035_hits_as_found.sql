-- Whether births were compared is what a hit's reasons say (match.BirthCompared): an alert or a booking may
-- have got a birth since.
-- +goose Up

drop view published_hits;
-- Hits on bookings that are published, as accounts see them.
create view published_hits as
select h.*,
  b.id as record_id,
  -- What its dismissal covers; null: it is not dismissed.
  (select case when d.spelling is null then 'person' else 'spelling' end
   from dismissals d
   where d.hit_id = h.id) as scope,
  (select u.email from users u where u.id = h.assignee_id) as assignee
from hits h
join published_bookings b on b.rid = h.rid
join watchers w on w.id = h.watcher_id;
