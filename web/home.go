package web

import (
	"net/http"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/account"
	"rollcall/web/fact"
	"rollcall/web/page"
)

// Bounds of the blocks of the first page.
const (
	homeHits     = 5
	homeCounties = 12
	homeTime     = 24 * time.Hour
)

// homeHit is an unread hit.
type homeHit struct {
	*models.Hit
	Record *models.Booking
	// Event is what happened last, and Step from what to what it changed the bond; nil: it did not.
	Event *models.AlertEvent
	Step  *fact.Step
	// Last is the same as a chip; nil: nothing is known of it.
	Last *fact.Chip
}

// homeBody is what the first page shows.
type homeBody struct {
	Now time.Time
	// Hits are the newest unread hits, and Mine counts those that the reader looks after.
	Hits []homeHit
	Mine int
	// Saved are the searches that the reader saved.
	Saved []*account.SavedSearch
	// Flows are the counties with the most bookings of the last day, and Booked and Released the sums of all.
	Flows            []models.CountyFlow
	Booked, Released int
	// More is how many counties are not listed.
	More int
	// Late are sources of jails that are not current.
	Late []*models.Source
	// Covered counts the counties whose jail some source reports, and Map shows which.
	Covered int
	Map     []mapped
}

// front shows the first page, and leads readers whose plan has no records to their keys.
func (s *Site) front(w http.ResponseWriter, r *http.Request) {
	v, err := s.Sessions.Visitor(r)
	switch {
	case err != nil:
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
	case !v.Account.Entitled():
		http.Redirect(w, r, homeOf(v.Account), http.StatusSeeOther)
	default:
		s.SignedIn(s.home)(w, r)
	}
}

// home shows the first page: each block is one bounded query.
func (s *Site) home(v *page.Visit) error {
	b := homeBody{Now: s.Options.Now()}
	for _, fill := range []func(*page.Visit, *homeBody) error{s.homeInbox, s.homeSaved, s.homeFlows, s.homeSources} {
		if err := fill(v, &b); err != nil {
			return err
		}
	}
	return s.Page(v, "home", page.View{Title: "Home", Body: b})
}

// homeInbox reads the newest unread hits, and counts what the reader looks after.
func (s *Site) homeInbox(v *page.Visit, b *homeBody) error {
	ctx, id := v.R.Context(), v.Account.ID
	unread, err := s.Store.Inbox(ctx, id, models.HitFilter{States: []models.HitState{models.HitUnread}}, models.Page{Limit: homeHits})
	if err != nil {
		return err
	}
	rids := make([]int64, len(unread.Hits))
	for i, h := range unread.Hits {
		rids[i] = h.RID
	}
	records, err := s.Store.BookingsByKeys(ctx, rids)
	if err != nil {
		return err
	}
	for _, h := range unread.Hits {
		if records[h.RID] != nil {
			b.Hits = append(b.Hits, homeHit{Hit: h, Record: records[h.RID]})
		}
	}
	if err := s.homeEvents(v, b.Hits); err != nil {
		return err
	}
	mine, err := s.Store.HitCounts(ctx, id, models.HitFilter{Assignee: &v.User.Email})
	b.Mine = mine.Assigned
	return err
}

// homeEvents reads what happened last to whom the hits are of.
func (s *Site) homeEvents(v *page.Visit, hits []homeHit) error {
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	events, err := s.Store.EventsOfHits(v.R.Context(), v.Account.ID, ids)
	if err != nil {
		return err
	}
	var changes []string
	for i := range hits {
		if known := events[hits[i].ID]; len(known) > 0 {
			hits[i].Event = known[len(known)-1]
			changes = append(changes, hits[i].Event.ID)
		}
	}
	facts, err := s.Store.FactsOfEvents(v.R.Context(), v.Account.ID, changes)
	if err != nil {
		return err
	}
	for i, h := range hits {
		if h.Event != nil {
			hits[i].Step = fact.StepOf(h.Event.Kind, facts[h.Event.ID])
			hits[i].Last = new(fact.Happened(h.Event.Kind, facts[h.Event.ID]))
		}
	}
	return nil
}

// homeSaved reads the searches that the reader saved.
func (s *Site) homeSaved(v *page.Visit, b *homeBody) (err error) {
	b.Saved, err = s.Store.SavedSearches(v.R.Context(), v.User.ID)
	return err
}

// homeFlows reads what the jails did in the last day.
func (s *Site) homeFlows(v *page.Visit, b *homeBody) (err error) {
	if b.Flows, err = s.Store.CountiesSince(v.R.Context(), b.Now.Add(-homeTime)); err != nil {
		return err
	}
	for _, f := range b.Flows {
		b.Booked, b.Released = b.Booked+f.Booked, b.Released+f.Released
	}
	b.More = max(len(b.Flows)-homeCounties, 0)
	b.Flows = b.Flows[:len(b.Flows)-b.More]
	return nil
}

// homeSources finds the sources of jails that are not current.
func (s *Site) homeSources(v *page.Visit, b *homeBody) (err error) {
	if b.Covered, err = s.Store.JailsCovered(v.R.Context(), nil); err != nil {
		return err
	}
	all, err := s.Store.Sources(v.R.Context())
	if err != nil {
		return err
	}
	b.Late = lateJails(all)
	b.Map, err = s.coverage(v, b.Late)
	return err
}

// lateJails returns the sources of jails that are not current, as the status page has them: one whose schedule an operator stopped
// is among them. What was taken over from another system is not waited for.
func lateJails(all []*models.Source) []*models.Source {
	return slices.DeleteFunc(all, func(src *models.Source) bool {
		return src.Imported || src.Kind != string(models.Roster) || src.State() == models.SourceOK
	})
}
