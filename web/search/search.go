// Package search is the page of the search over bookings, court cases and state corrections: what was typed, what of it each family is
// asked, and the results. The same templates make the page and the part of it that its script replaces while somebody types. Searches
// are saved, exported as a file, and become alerts.
//
// What is found and how it is ranked is the store's. Templates lie with those of package web.
package search

import (
	"context"
	"net/url"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web/page"
	"rollcall/web/picture"
)

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Similar looks for similar names; nil: nobody does.
	Similar Similar
	Album   picture.Album
	// Exports let an account have one file at a time.
	Exports *turn.Turns
}

// Similar looks for names that a search does not find; lookback.Reader implements it.
type Similar interface {
	// Similar returns bookings of the last year under names that are similar to one. A name that cannot be compared is a models.Error.
	Similar(ctx context.Context, accountID string, asked models.SimilarAsked) (*models.SimilarNames, error)
}

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/search", s.Pages.Entitled("Search", s.page))
	r.Get("/search/results", s.Pages.Entitled("Search", s.results))
	r.Get("/search/similar", s.Pages.Entitled("Search", s.similar))
	r.Get("/search/alert", s.Pages.Entitled("New alert", s.alertFromSearch))
	r.Post("/search/saved", s.Pages.Entitled("Search", s.saveSearch))
	r.Post("/search/saved/{id}/delete", s.Pages.SignedIn(s.deleteSearch))
	r.Get("/search/bookings.csv", s.Pages.Entitled("Search", s.exportBookings))
}

// body is what the page shows.
type body struct {
	*asked
	Counties []page.County
	// Saved are the searches that the reader saved.
	Saved []savedSearch
	// Above is the county whose page led here; nil: none did.
	Above *models.County
	// Found is what was found; nil: nothing was asked, or it could not be.
	Found *found
}

// People is the address of the search for people, with the name that was typed. Words that are a charge or a county are none.
func (b *body) People() string {
	if b.Name == "" || b.Found != nil && b.Found.noName() {
		return "/people"
	}
	return "/people?" + url.Values{"name": {b.Name}}.Encode()
}

// page shows the search, with what it finds.
func (s Site) page(v *page.Visit) (err error) {
	b, data, err := s.answer(v)
	if err != nil {
		return err
	}
	if b.Counties, err = s.Pages.Counties(v.R.Context()); err != nil {
		return err
	}
	for _, c := range b.Counties {
		if _, came := v.Before("/counties/" + c.Slug); came {
			b.Above = c.County
		}
	}
	saved, err := s.Store.SavedSearches(v.R.Context(), v.User.ID)
	if err != nil {
		return err
	}
	for _, one := range saved {
		b.Saved = append(b.Saved, savedSearch{one, alertOfSaved(one)})
	}
	return s.Pages.Page(v, "search", data)
}

// results shows what a search finds, without the page around it.
func (s Site) results(v *page.Visit) error {
	_, data, err := s.answer(v)
	if err != nil {
		return err
	}
	return s.Pages.Part(v, "search", "search-groups", data)
}

// answer asks what the address asks. A mistake in it is shown above the results.
func (s Site) answer(v *page.Visit) (*body, page.View, error) {
	a, err := read(v.R.URL.Query(), s.Pages.Now())
	b := &body{asked: a}
	data := page.View{Title: "Search", Script: "search", Body: b}
	if err == nil && !a.Empty() {
		b.Found, err = s.find(v, a)
	}
	if models.CodeOf(err) == models.CodeInvalidParameter {
		data.Failed(err)
		data.Status = page.StatusOf(models.CodeInvalidParameter)
		err = nil
	}
	return b, data, err
}
