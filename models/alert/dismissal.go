package alert

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/delivery"
)

// dismissalSQL reads dismissals d and, of the records $2, who is known to be the same person.
const dismissalSQL = `select d.watcher_id, b.rid, b.name, b.county_id, b.dob, b.birth_year, array(
  select y.rid from sightings x join sightings y on y.source_id = x.source_id and y.person_key = x.person_key where x.rid = b.rid and y.rid = any($2)
  union select l.rid from gdc_links k join gdc_links l on l.cid = k.cid where k.rid = b.rid and l.rid = any($2) and k.confidence = 'high' and l.confidence = 'high')
 from dismissals d join bookings b on b.rid = d.rid where `

func collectDismissals(rows pgx.Rows) (map[string][]models.Dismissal, error) {
	out := map[string][]models.Dismissal{}
	var (
		watcher string
		d       models.Dismissal
		birth   *int16
	)
	_, err := pgx.ForEachRow(rows, []any{&watcher, &d.RID, &d.Name, &d.CountyID, &d.Dob, &birth, &d.People}, func() error {
		d.BirthYear = db.Year(birth)
		out[watcher] = append(out[watcher], d)
		d = models.Dismissal{}
		return nil
	})
	return out, err
}

// Dismissed gives whom watchers have dismissed, by watcher. rids are the records that are about to
// fire: of them, People names those known to be the same person's.
func (m *Matching) Dismissed(ctx context.Context, watcherIDs []string, rids []int64) (map[string][]models.Dismissal, error) {
	rows, err := m.tx.Query(ctx, dismissalSQL+`d.watcher_id = any($1)`, watcherIDs, rids)
	if err != nil {
		return nil, fmt.Errorf("read dismissals: %w", err)
	}
	out, err := collectDismissals(rows)
	if err != nil {
		return nil, fmt.Errorf("read dismissals: %w", err)
	}
	return out, nil
}

// dropDismissed ends what is under way to a watcher about the person of a dismissal. The caller holds the
// watcher's row: whoever matches for it at this moment is done, or will read the dismissal.
func dropDismissed(ctx context.Context, tx pgx.Tx, hitID, watcherID string, now time.Time) error {
	rows, err := tx.Query(ctx, `select distinct b.rid, b.name, b.county_id, b.dob, b.birth_year from deliveries d join events e on e.id = d.event_id join bookings b on b.rid = e.rid
 where d.watcher_id = $1 and d.state in ('pending', 'failed')`, watcherID)
	if err != nil {
		return err
	}
	waiting, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (b models.Subject, err error) {
		var birth *int16
		err = row.Scan(&b.RID, &b.Name, &b.CountyID, &b.Dob, &birth)
		b.BirthYear = db.Year(birth)
		return b, err
	})
	if err != nil || len(waiting) == 0 {
		return err
	}
	rids := make([]int64, len(waiting))
	for i, b := range waiting {
		rids[i] = b.RID
	}
	if rows, err = tx.Query(ctx, dismissalSQL+`d.hit_id = $1`, hitID, rids); err != nil {
		return err
	}
	found, err := collectDismissals(rows)
	if err != nil {
		return err
	}
	waiting = slices.DeleteFunc(waiting, func(b models.Subject) bool {
		return !slices.ContainsFunc(found[watcherID], func(d models.Dismissal) bool { return d.Covers(&b) })
	})
	rids = rids[:0]
	for _, b := range waiting {
		rids = append(rids, b.RID)
	}
	return delivery.CancelDismissed(ctx, tx, watcherID, rids, now)
}
