package web

import (
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/watch"
	"rollcall/web/words"
)

// trailSize is how many entries a page of the trail shows, and mostTrail how many lines a file of it has at most.
const (
	trailSize = 50
	mostTrail = 100_000
)

// trailBody is what the page of the trail shows.
type trailBody struct {
	Events []models.AccountEvent
	Older  string // address of the entries before; empty: there are none
	Newer  bool
	// What the reader narrowed the trail to, as it was written.
	Action, Actor, From, To string
	// Members are offered as actors, and Actions as what was done, by their beginnings.
	Members, Actions []string
}

// asked returns the filter as an address has it.
func (b *trailBody) asked() url.Values {
	out := url.Values{}
	for name, value := range map[string]string{"action": b.Action, "actor": b.Actor, "from": b.From, "to": b.To} {
		if value != "" {
			out.Set(name, value)
		}
	}
	return out
}

// Any reports whether the trail is narrowed.
func (b *trailBody) Any() bool { return len(b.asked()) > 0 }

// Here returns the address of the newest entries that the filter leaves.
func (b *trailBody) Here() string { return withQuery("/settings/trail", b.asked()) }

// File returns the address of the entries as CSV.
func (b *trailBody) File() string { return withQuery("/settings/trail/export", b.asked()) }

func withQuery(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// trailOf reads the filter of an address. A day that is none is a models.Error.
func trailOf(q url.Values) (b trailBody, f models.TrailFilter, err error) {
	b = trailBody{
		Action: strings.TrimSpace(q.Get("action")), Actor: strings.TrimSpace(q.Get("actor")), From: strings.TrimSpace(q.Get("from")), To: strings.TrimSpace(q.Get("to")),
	}
	f = models.TrailFilter{Action: b.Action, Actor: b.Actor}
	for _, day := range []struct {
		name, text string
		to         **time.Time
		more       int
	}{{"from", b.From, &f.Since, 0}, {"to", b.To, &f.Until, 1}} { // the last day counts whole
		if day.text == "" {
			continue
		}
		at, err := time.ParseInLocation(time.DateOnly, day.text, models.Georgia)
		if err != nil {
			return b, f, models.Invalid(day.name, "a day in the filter is not a date; write it as 2026-03-09")
		}
		*day.to = new(at.AddDate(0, 0, day.more))
	}
	if f.Since != nil && f.Until != nil && !f.Since.Before(*f.Until) {
		return b, f, models.Invalid("from", "from must not be after to")
	}
	return b, f, nil
}

// trailPage shows the account's trail, newest first. It reads one entry more than it shows, to
// know whether there are older ones.
func (s *Site) trailPage(v *page.Visit) error {
	ctx, q := v.R.Context(), v.R.URL.Query()
	before, err := strconv.ParseInt("0"+q.Get("before"), 10, 64)
	if err != nil {
		return page.ErrNoPage
	}
	b, f, problem := trailOf(q)
	events, err := s.Store.AccountEventsOf(ctx, v.Account.ID, f, before, trailSize+1)
	if err != nil {
		return err
	}
	b.Events, b.Newer = events, before > 0
	if len(events) > trailSize {
		b.Events = events[:trailSize]
		next := b.asked()
		next.Set("before", strconv.FormatInt(events[trailSize-1].ID, 10))
		b.Older = withQuery("/settings/trail", next)
	}
	users, err := s.Store.Users(ctx, v.Account.ID)
	if err != nil {
		return err
	}
	for _, u := range users {
		b.Members = append(b.Members, u.Email)
	}
	b.Actions = words.Acted
	if v.User.Operator {
		b.Actions = slices.Concat(words.Acted, words.Operated)
	}
	data := page.View{Title: "Audit trail", Body: &b}
	if problem != nil {
		data.Failed(problem)
	}
	return s.Page(v, "trail", data)
}

// exportTrail streams the entries that the filter leaves as CSV, newest first.
func (s *Site) exportTrail(v *page.Visit) error {
	_, f, err := trailOf(v.R.URL.Query())
	if err != nil {
		return err
	}
	return watch.Site{Pages: s.Pages, Exports: s.exports}.Export(v, "audit-trail.csv", func(to io.Writer) error {
		return watchlist.WriteTrail(to, func(see func(*models.AccountEvent) error) error {
			const chunk = 1000
			before := int64(0)
			for range mostTrail / chunk {
				events, err := s.Store.AccountEventsOf(v.R.Context(), v.Account.ID, f, before, chunk)
				if err != nil {
					return err
				}
				for i := range events {
					if err := see(&events[i]); err != nil {
						return err
					}
				}
				if len(events) < chunk {
					return nil
				}
				before = events[len(events)-1].ID
			}
			return nil
		})
	})
}
