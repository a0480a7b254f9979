-- name: watchers_since
-- The standing index follows this, thousands of rows at a time: pgx reads it, which takes a third of what GORM takes.
select id, name, county_id, level, dob, birth_year, deleted_at is null and not paused as active, rev
from watchers
where rev > @rev and (not @active_only or deleted_at is null and not paused)
order by rev
limit @limit
