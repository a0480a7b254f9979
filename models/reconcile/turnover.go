package reconcile

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
)

// overdueAfter is how long before a complete snapshot a booking must lie to be missed in it: clerks enter
// some people a day late.
const overdueAfter = 48 * time.Hour

// withinWindow tells whether the booking of a sighting g is within the source's window of $2 days at $3, 0: none.
var withinWindow = `($2 = 0 or exists (select from bookings b where b.rid = g.rid and b.booked_at >= ` + windowStart(`$3::timestamptz`, `$2`) + `))`

// windowStart is when the window of so many days begins in a snapshot of an instant: with the first of as many days of
// the calendar, that of the snapshot among them. A publisher may count days or hours; whoever was booked before
// that may have left the list of either for his age alone.
func windowStart(at, days string) string {
	return `((` + at + ` at time zone 'America/New_York')::date - (` + days + ` - 1))::timestamp at time zone 'America/New_York'`
}

// turnover asks Turned about the keys that came and went, before anything is written. A source of which
// no complete snapshot is known to compare with, as its first, or whose snapshot an operator cleared, is
// not asked about.
func (st *staging) turnover(ctx context.Context) error {
	if !st.Tracks || st.Turned == nil || st.filling || st.work.fresh == 0 {
		return nil
	}
	t, err := st.newcomers(ctx)
	t.By = "time of booking"
	if err != nil || t.Fresh == 0 {
		return err
	}
	err = st.exec(ctx, "list vanished keys", `create temp table vanished on commit drop as
 select g.rid from sightings g where g.source_id = $1 and g.present and `+withinWindow+` and not exists (select from staged s where s.booking_key = g.booking_key)
  and not exists (select from known k where k.rid = g.rid and k.joined is not null)`, st.SourceID, st.WindowDays, st.At)
	if err != nil {
		return err
	}
	err = st.tx.QueryRow(ctx, `select (select count(*) from moved), (select count(*) from vanished),
 (select count(*) from sightings g where g.source_id = $1 and g.present and `+withinWindow+`),
 (select count(distinct v.rid) from vanished v join bookings b on b.rid = v.rid join staged s on s.county_id = b.county_id and s.booked_at = b.booked_at
  and sorted_words(s.name_key) = sorted_words(b.name_key) where not exists (select from known k where k.ord = s.ord)),
 (select count(distinct v.rid) from vanished v join bookings b on b.rid = v.rid join staged s on s.county_id = b.county_id and s.booked_at = b.booked_at
  where georgia_clock(b.booked_at)::time <> '00:00' and not exists (select from known k where k.ord = s.ord) and not exists (select from moved m where m.ord = s.ord or m.rid = v.rid))`, st.SourceID, st.WindowDays, st.At).Scan(&t.Moved, &t.Vanished, &t.Known, &t.Again, &t.Replaced)
	if err != nil {
		return fmt.Errorf("count vanished keys: %w", err)
	}
	if t.Agreed, err = st.agreedGone(ctx); err != nil {
		return err
	}
	reason := st.Turned(t)
	if reason == "" {
		return nil
	}
	held := &models.HeldError{Reason: reason}
	if st.verdict.Complete && st.Releases {
		held.Would, err = st.wouldRelease(ctx)
	}
	if err != nil {
		return err
	}
	return held
}

// newcomers counts the keys of the snapshot.
func (st *staging) newcomers(ctx context.Context) (t models.Turnover, err error) {
	var last *time.Time
	err = st.tx.QueryRow(ctx, `select (select count(*) from staged), count(*), count(*) filter (where s.booked_at < src.last_complete - make_interval(secs => $2) and not exists (select from moved m where m.ord = s.ord)), min(src.last_complete)
 from staged s join sources src on src.id = $1 where not exists (select from known k where k.ord = s.ord)`, st.SourceID, overdueAfter.Seconds()).Scan(&t.Listed, &t.Fresh, &t.Overdue, &last)
	if err != nil {
		return t, fmt.Errorf("count new keys: %w", err)
	}
	if last != nil {
		t.Since = st.At.Sub(*last)
	}
	return t, nil
}
