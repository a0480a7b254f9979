-- name: watchers_since
-- Returns the watchers that changed after a revision. The standing index follows it, thousands of rows at a time. pgx
-- reads it, because it needs a third of the time of GORM.
select id, name, county_id, level, dob, birth_year, age, age_on,
  deleted_at is null and not paused as active, rev
from watchers
where rev > @rev and (not @active_only or deleted_at is null and not paused)
order by rev
limit @limit
