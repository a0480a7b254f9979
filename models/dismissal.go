package models

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
)

// Dismissal is a person whom a watcher never wants to hear of again.
type Dismissal struct {
	RID       int64
	Name      string
	CountyID  int16
	Dob       *Date
	BirthYear *int
	People    []int64 // records that a source or a confirmed link says are the same person's, of those asked about
}

// Subject is whom a record is about, as far as a dismissal asks.
type Subject struct {
	RID       int64
	Name      string
	CountyID  int16
	Dob       *Date
	BirthYear *int
}

// Covers tells whether a record is of the person who was dismissed: the same record; one that the source
// or a confirmed link says is the same person's; the same date of birth under a name that may be the same;
// or, where a date is not known, the same year, county and name. People who have nothing but a name in
// common are not held to be the same.
func (d *Dismissal) Covers(b *Subject) bool {
	switch {
	case d.RID == b.RID || slices.Contains(d.People, b.RID):
		return true
	case d.Dob != nil && b.Dob != nil:
		if *d.Dob != *b.Dob {
			return false
		}
		one, other := match.Parse(d.Name), match.Parse(b.Name)
		return match.Alike(&one, &other)
	case d.BirthYear != nil && b.BirthYear != nil:
		return *d.BirthYear == *b.BirthYear && d.CountyID == b.CountyID && match.SearchKey(d.Name) == match.SearchKey(b.Name)
	}
	return false
}

// dismissalSQL reads dismissals d and, of the records $2, who is known to be the same person.
const dismissalSQL = `select d.watcher_id, b.rid, b.name, b.county_id, b.dob, b.birth_year, array(
  select y.rid from sightings x join sightings y on y.source_id = x.source_id and y.person_key = x.person_key where x.rid = b.rid and y.rid = any($2)
  union select l.rid from gdc_links k join gdc_links l on l.cid = k.cid where k.rid = b.rid and l.rid = any($2) and k.confidence = 'high' and l.confidence = 'high')
 from dismissals d join bookings b on b.rid = d.rid where `

func collectDismissals(rows pgx.Rows) (map[string][]Dismissal, error) {
	out := map[string][]Dismissal{}
	var (
		watcher string
		d       Dismissal
		birth   *int16
	)
	_, err := pgx.ForEachRow(rows, []any{&watcher, &d.RID, &d.Name, &d.CountyID, &d.Dob, &birth, &d.People}, func() error {
		d.BirthYear = year(birth)
		out[watcher] = append(out[watcher], d)
		d = Dismissal{}
		return nil
	})
	return out, err
}

// Dismissed gives whom watchers have dismissed, by watcher. rids are the records that are about to
// fire: of them, People names those known to be the same person's.
func (m *Matching) Dismissed(ctx context.Context, watcherIDs []string, rids []int64) (map[string][]Dismissal, error) {
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

// owedDelivery tells of a delivery d that it takes back something that its receiver was told, or may have
// been told at this moment: it goes out although the watcher is paused or the person was dismissed.
const owedDelivery = `(d.kind = 'sealed' or d.kind = 'retraction' and exists (select from events oe join deliveries od on od.event_id = oe.retracts and od.webhook_id = d.webhook_id
 where oe.id = d.event_id and (od.attempts > 0 or od.leased_by is not null)))`

// dismissedDelivery tells of a delivery d that its record was dismissed.
const dismissedDelivery = `exists (select from dismissals xd join events xe on xe.rid = xd.rid where xe.id = d.event_id and xd.watcher_id = d.watcher_id)`

// dropDismissed ends what is under way to a watcher about the person of a dismissal. The caller holds the
// watcher's row: whoever matches for it at this moment is done, or will read the dismissal.
func dropDismissed(ctx context.Context, tx pgx.Tx, hitID, watcherID string, now time.Time) error {
	rows, err := tx.Query(ctx, `select distinct b.rid, b.name, b.county_id, b.dob, b.birth_year from deliveries d join events e on e.id = d.event_id join bookings b on b.rid = e.rid
 where d.watcher_id = $1 and d.state in ('pending', 'failed')`, watcherID)
	if err != nil {
		return err
	}
	waiting, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (b Subject, err error) {
		var birth *int16
		err = row.Scan(&b.RID, &b.Name, &b.CountyID, &b.Dob, &birth)
		b.BirthYear = year(birth)
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
	waiting = slices.DeleteFunc(waiting, func(b Subject) bool {
		return !slices.ContainsFunc(found[watcherID], func(d Dismissal) bool { return d.Covers(&b) })
	})
	rids = rids[:0]
	for _, b := range waiting {
		rids = append(rids, b.RID)
	}
	return cancelDeliveries(ctx, tx, `d.watcher_id = $1 and d.event_id in (select id from events where watcher_id = $1 and rid = any($4)) and not `+owedDelivery, watcherID, DropDismissed, now, rids)
}
