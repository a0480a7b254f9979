package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CalendarOf gives the events of a case in order of time. What the court took back is known by its
// version rows alone: when it would have begun, and no more.
func (s *Store) CalendarOf(ctx context.Context, c *models.CourtCase) ([]models.CalendarEvent, error) {
	rows, err := s.Pool().Query(ctx, `with told as (
  select substr(v.field, length('hearing ') + 1) as event, count(*)::int as n, max(v.at) as at, (array_agg(coalesce(v.after, v.before) order by v.id desc))[1]::json ->> 'startsAt' as starts_at,
   (array_agg(v.after is null order by v.id desc))[1] as ended
  from record_changes v where v.family = 'courts' and v.record = $1 and v.field like 'hearing %' group by 1)
 select h.event, h.starts_at, coalesce(h.time, '00:00') = '00:00', h.kind, h.judge, h.location, h.link, h.cancelled, coalesce(t.n, 0), t.at
 from hearings h left join told t using (event) where h.case_id = $1
 union all
 select t.event, t.starts_at::timestamptz, georgia_clock(t.starts_at::timestamptz)::time = '00:00', null, null, null, null, true, t.n, t.at
 from told t where t.ended and t.starts_at is not null and not exists (select from hearings h where h.case_id = $1 and h.event = t.event)
 order by 2, 1`, c.Key)
	if err != nil {
		return nil, fmt.Errorf("read calendar of case: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (models.CalendarEvent, error) {
		var e models.CalendarEvent
		var changed *time.Time
		err := r.Scan(&e.Event, &e.StartsAt, &e.WholeDay, &e.Kind, &e.Judge, &e.Location, &e.Link, &e.Cancelled, &e.Revision, &changed)
		if err != nil {
			return e, fmt.Errorf("read calendar of case: %w", err)
		}
		e.StartsAt, e.Changed = e.StartsAt.In(models.Georgia), c.FirstSeen
		if changed != nil {
			e.Changed = changed.UTC()
		}
		return e, nil
	})
}
