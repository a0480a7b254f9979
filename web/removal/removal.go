// Package removal has the page on which operators keep requests to remove photographs, and see what was brought of them. It names
// records by their ids and nobody by name.
//
// Its template is among those of package web. It may import web/page and models. It is not for decisions: models/photograph has them.
package removal

import (
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/models/store"
	"rollcall/web/page"
)

// decidedShown is how many decided requests the page shows.
const decidedShown = 50

// Site serves the page. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Now is the clock.
	Now func() time.Time
}

// Routes adds the page to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/operator/photographs", s.Pages.Operator(func(v *page.Visit) error { return s.show(v, body{}, nil) }))
	r.Post("/operator/photographs", s.Pages.Operator(s.ask))
	r.Post("/operator/photographs/{id}", s.Pages.Operator(s.decide))
}

// body is what the page of requests shows.
type body struct {
	// Open are those that are to be decided, due first; Decided the others, newest first.
	Open, Decided []*photograph.Removal
	Sources       []sourcePhotographs
	Today         string

	// What was typed into a form that was refused.
	Record, Asked, Note string

	now time.Time
}

// sourcePhotographs counts the photographs that a source named: those that are kept, those that are to be brought, with why the last
// try failed, and those that were refused, with why.
type sourcePhotographs struct {
	ID                    string
	Kept, Wanted, Refused int
	Reasons               []photograph.Count
}

// bySource gathers counts, which come in the order of their sources.
func bySource(counts []photograph.Count) (list []sourcePhotographs) {
	for _, c := range counts {
		if n := len(list); n == 0 || list[n-1].ID != c.SourceID {
			list = append(list, sourcePhotographs{ID: c.SourceID})
		}
		p := &list[len(list)-1]
		switch c.State {
		case photograph.Kept:
			p.Kept += c.N
		case photograph.Wanted:
			p.Wanted += c.N
		default:
			p.Refused += c.N
		}
		if c.Reason != "" {
			p.Reasons = append(p.Reasons, c)
		}
	}
	return list
}

// Overdue reports whether the law's time for a request is over.
func (b *body) Overdue(r *photograph.Removal) bool { return b.now.After(r.DueAt) }

// Page returns where the record of a request is read.
func (b *body) Page(r *photograph.Removal) string {
	return map[models.Family]string{models.Roster: "/roster/", models.Corrections: "/corrections/"}[r.Family] + r.PublicID
}

// show shows the page; problem is why the last form was not done.
func (s Site) show(v *page.Visit, b body, problem error) (err error) {
	ctx := v.R.Context()
	b.now = s.Now()
	b.Today = models.DateOf(b.now.In(models.Georgia)).String()
	if b.Open, err = s.Store.Removals(ctx, true); err != nil {
		return err
	}
	if b.Decided, err = s.Store.DecidedRemovals(ctx, decidedShown); err != nil {
		return err
	}
	counts, err := s.Store.PhotographCounts(ctx)
	if err != nil {
		return err
	}
	b.Sources = bySource(counts)
	data := page.View{Title: "Photographs", Script: "settings", At: "/operator/photographs", Body: &b}
	if problem != nil {
		data.Failed(problem)
		if code := models.CodeOf(problem); code != models.CodeInvalidParameter {
			data.Status = page.StatusOf(code)
		}
	}
	return s.Pages.Page(v, "removals", data)
}

// ask notes a request, as `rollcall photographs request` does. The account's trail has its number, not the record.
func (s Site) ask(v *page.Visit) error {
	b := body{Record: v.R.PostFormValue("record"), Asked: v.R.PostFormValue("asked"), Note: v.R.PostFormValue("note")}
	day, err := models.ParseDate(b.Asked)
	if err != nil {
		return s.show(v, b, models.Invalid("asked", "write the day on which the request came, like 2026-03-08"))
	}
	r, err := s.Store.AskRemoval(v.R.Context(), b.Record, day.In(models.Georgia), v.User.Email, b.Note)
	if c := models.CodeOf(err); c == models.CodeInvalidParameter || c == models.CodeNotFound {
		return s.show(v, b, err)
	}
	if err != nil {
		return err
	}
	if err := s.Pages.Trail(v, "request to remove a photograph noted", "request "+strconv.FormatInt(r.ID, 10)); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/operator/photographs?done=photo-asked")
}

// decide ends a request, as `rollcall photographs decide` does.
func (s Site) decide(v *page.Visit) error {
	id, err := strconv.ParseInt(v.Param("id"), 10, 64)
	if err != nil {
		return page.ErrNoPage
	}
	said, word := "photo-declined", "declined"
	removed := v.R.PostFormValue("decision") == "removed"
	if removed {
		said, word = "photo-removed", "granted"
	}
	err = s.Store.DecideRemoval(v.R.Context(), id, removed, v.User.Email)
	if models.CodeOf(err) == models.CodeNotFound {
		return s.show(v, body{}, models.NotFound("this request was decided after you opened the page; nothing was changed"))
	}
	if err != nil {
		return err
	}
	if err := s.Pages.Trail(v, "request to remove a photograph "+word, "request "+strconv.FormatInt(id, 10)); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/operator/photographs?done="+said)
}
