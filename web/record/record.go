// Package record is the pages of records: a booking, a court case and a corrections record, each with the records that are linked
// with it and the grounds of each link, its history, and how current its source is.
//
// Its templates are among those of package web: they are whole without scripts. It reads what callers may see through the same
// methods of models/store as the interfaces for programs do, in a number of statements that does not depend on how much is linked.
// What is shown of that is decided by functions without a database. It may import web/page, web/fact, calendar and models.
package record

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/picture"
	"rollcall/web/words"
)

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	Now   func() time.Time
	Album picture.Album
}

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/roster/{id}", s.Pages.Entitled("Booking", s.booking))
	r.Get("/cases/{id}", s.Pages.Entitled("Court case", s.courtCase))
	r.Get("/cases/{id}/hearings.ics", s.Pages.SignedIn(s.hearingsFile))
	r.Post("/cases/{id}/calendar", s.Pages.Entitled("Court case", s.makeCalendar))
	r.Post("/cases/{id}/calendar/{feed}/end", s.Pages.Entitled("Court case", s.endCalendar))
	r.Get("/corrections/{id}", s.Pages.Entitled("Corrections record", s.offender))
}

// common is what the pages of all families show.
type common struct {
	Now   time.Time
	Crumb Crumb
	// Person and Watch are the addresses of all records of the person, and of the form of an alert on them.
	Person, Watch string
	// Request and Operation are how programs read the record, and its name in the reference.
	Request, Operation    string
	Source                *models.Source
	LastChange, FirstSeen time.Time
	Links                 links
	Release               *models.Release // of a booking; nil where there is none
	History               timeline
}

// Current is how current the source is.
func (c *common) Current() fact.Chip { return fact.Current(c.Source.Shown()) }

// Imported reports whether the record was taken over from another system, whose records no schedule reads.
func (c *common) Imported() bool { return c.Source.Shown() == models.ShownArchived }

// ImportedSays says when that was.
func (c *common) ImportedSays() words.Text {
	return words.T("Imported from the earlier system on {1}. No longer updated.", words.Day(models.DateOf(c.FirstSeen.In(models.Georgia))))
}

// read reads the source and the history of a record by its key.
func (s Site) read(ctx context.Context, c *common, f models.Family, key int64, sourceID string) error {
	c.Now = s.Now()
	sources, err := s.Store.SourcesByID(ctx)
	if err != nil {
		return err
	}
	if c.Source = sources[sourceID]; c.Source == nil {
		return fmt.Errorf("the source %s of a record is not known", sourceID)
	}
	changes, err := s.Store.HistoryOf(ctx, f, []int64{key})
	if err != nil {
		return err
	}
	c.History = timelineOf(changes[key], sources, c.Release)
	return nil
}

// everything is the address of all records of the person of a record.
func everything(id string) string { return "/people/" + url.PathEscape(id) }

// Watch is the address of the form of an alert on a person, anywhere in Georgia: who moves on is booked elsewhere.
func Watch(name string, dob *models.Date, year *int) string {
	q := url.Values{"name": {page.CalmName(name)}}
	switch {
	case dob != nil:
		q.Set("born", dob.String())
	case year != nil:
		q.Set("born", strconv.Itoa(*year))
	}
	return "/alerts/new?" + q.Encode()
}

// outside returns an address that somebody else wrote, if it leads to a page; empty: it leads nowhere.
func outside(address *string) string {
	if address == nil {
		return ""
	}
	u, err := url.Parse(*address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return u.String()
}

// money writes cents as dollars; empty for none.
func money(cents *int64) string {
	if cents == nil {
		return ""
	}
	return models.Cents(*cents).String()
}
