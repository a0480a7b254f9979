-- name: watchers_since
-- Returns the watchers that changed after a revision. The standing index follows it, thousands of rows at a time. pgx
-- reads it, because it needs a third of the time of GORM.
select id, name, county_id, level, dob, birth_year, age, age_on,
  deleted_at is null and not paused as active, rev
from watchers
where rev > @rev and (not @active_only or deleted_at is null and not paused)
order by rev
limit @limit

-- name: watcher_names
-- Returns the names of an account's watchers, or of those of a label, in the order of their list.
select id, created_at, name
from watchers
where account_id = @account and deleted_at is null and (@label::text is null or label = @label)
order by created_at desc, id desc
