package watch

import (
	"rollcall/models"
	"rollcall/web/page"
)

const (
	lately    = 30 // days behind us of which bookings are compared with a new alert
	lookShows = 10 // of those that it would have found
)

// look is what a new alert would have found, and what speaks against it. Without its script the form shows it before anything is created;
// the script asks GraphQL for the same.
type look struct {
	// Alert is the alert as it would be stored.
	Alert *models.Watcher
	// Copy is an alert of the account that asks for the same; nil: none does.
	Copy *models.Watcher
	// Covered reports whether a source reports a jail that it looks at; else it finds nobody.
	Covered bool
	// Found counts the bookings, and People who was booked; Hits are the newest.
	Found, People int
	Hits          []hitRow
}

// Wide reports whether the alert is at the level with most wrong alerts.
func (l *look) Wide() bool { return l.Alert.Level == models.LevelWide }

// Namesakes reports whether the alert cannot tell apart those whom it would have found.
func (l *look) Namesakes() bool { return l.People > 1 && l.Alert.Born().Year == 0 }

// More counts what is not shown.
func (l *look) More() int { return l.Found - len(l.Hits) }

// lookAt returns what an alert would have found. Nothing is stored.
func (s Site) lookAt(v *page.Visit, n *models.NewWatcher) (*look, error) {
	ctx := v.R.Context()
	w, err := s.Store.DraftWatcher(n)
	if err != nil {
		return nil, err
	}
	l := &look{Alert: w}
	if l.Copy, err = s.Store.CopiedWatcher(ctx, v.Account.ID, w); err != nil {
		return nil, err
	}
	covered, err := s.Store.CoveredJails(ctx)
	if err != nil {
		return nil, err
	}
	l.Covered = covered.Has(w.County)
	f, err := models.NewPreview(w, lookShows)
	if err != nil {
		return nil, err
	}
	if err := s.Store.PeopleBookedSince(ctx, s.Now().AddDate(0, 0, -lately), w.County, f.See); err != nil {
		return nil, err
	}
	l.Found, l.People = f.Count, f.People()
	return l, s.fillLook(v, l, f.Newest)
}

// fillLook reads the bookings of what would have been found.
func (s Site) fillLook(v *page.Visit, l *look, hits []*models.Hit) error {
	keys := make([]int64, len(hits))
	for i, h := range hits {
		keys[i] = h.RID
	}
	records, err := s.Store.BookingsByKeys(v.R.Context(), keys)
	if err != nil {
		return err
	}
	for _, h := range hits {
		if b := records[h.RID]; b != nil {
			l.Hits = append(l.Hits, hitRow{Hit: h, Record: b, Alert: l.Alert})
		}
	}
	return s.explain(v, l.Hits)
}
