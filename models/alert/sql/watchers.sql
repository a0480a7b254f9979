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
-- Returns the names of an account's watchers, or of those of a label, in an order of their list: by name, by the last
-- hit, by the number of unread hits, or the newest first.
select w.id, w.created_at, w.name
from watchers w
left join (
  select watcher_id, max(at) as last, count(*) filter (where state = 'unread') as unread
  from published_hits
  where account_id = @account and @order::text in ('last', 'unread')
  group by watcher_id
) t on t.watcher_id = w.id
where w.account_id = @account and w.deleted_at is null and (@label::text is null or w.label = @label)
order by
  case when @order = 'name' then lower(w.name) end,
  case when @order = 'last' then t.last end desc nulls last,
  case when @order = 'unread' then t.unread end desc nulls last,
  w.created_at desc, w.id desc
