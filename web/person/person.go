// Package person is the pages of people: the people under a name, a person with all records and what joins them, and the reports that
// a record is of somebody else.
//
// Its templates are among those of package web. It may import web/page, web/fact, web/record, match and models. Which records are one person's is decided by
// person.Gather.
package person

import (
	"net/url"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/store"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/record"
	"rollcall/web/words"
)

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Similar looks for similar names; nil: nobody does.
	Similar Similar
}

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/people", s.Pages.Entitled("People", s.list))
	r.Get("/people/{id}", s.Pages.Entitled("Person", s.person))
	r.Post("/people/{id}/report", s.Pages.Entitled("Person", s.report))
	r.Get("/operator/people", s.Pages.Operator(func(v *page.Visit) error { return s.reports(v, reportsBody{}, page.View{}) }))
	r.Post("/operator/people/{id}", s.Pages.Operator(s.decide))
}

// path is the address of the person of a record.
func path(id string) string { return "/people/" + url.PathEscape(id) }

// body is what the page of a person shows.
type body struct {
	*models.Person
	Crumb record.Crumb
	Path  string
	// Sections are the person's records by family, and those that are possible.
	Sections []section
	Hits     []hitRow
}

// Line says what the records agree on.
func (b *body) Line() words.Text { return fact.Born(b.Dob, b.BirthYear) }

// Chip is where the person is, as far as the records say.
func (b *body) Chip() fact.Chip { return whereabouts(b.Person) }

// Watch is the address of the form of an alert on the person.
func (b *body) Watch() string { return record.Watch(b.Name, b.Dob, b.BirthYear) }

// SameName is the address of the people under the name.
func (b *body) SameName() string {
	return "/people?" + url.Values{"name": {record.Short(b.Name)}}.Encode()
}

// offer lets readers report records that are of somebody else: those that are linked with another one.
func (b *body) offer() {
	for _, s := range b.Sections {
		for i := range s.Rows {
			if len(s.Rows[i].Why) > 0 {
				s.Rows[i].Report = b.Path + "/report"
			}
		}
	}
}

// person shows a person.
func (s Site) person(v *page.Visit) error { return s.show(v, v.Param("id"), page.View{}) }

// show shows the person of a record, and data's message.
func (s Site) show(v *page.Visit, id string, data page.View) error {
	ctx := v.R.Context()
	p, err := s.Store.PersonByID(ctx, id)
	if err != nil {
		return page.Hidden(err)
	}
	rids := make([]int64, len(p.Stays))
	for i, stay := range p.Stays {
		rids[i] = stay.RID
	}
	found, err := s.Store.HitsOn(ctx, v.Account.ID, rids)
	if err != nil {
		return err
	}
	var lists [][]*models.Hit
	for _, list := range found {
		lists = append(lists, list)
	}
	bonds, err := s.Store.BondsOf(ctx, bookingsOf(p))
	if err != nil {
		return err
	}
	b := &body{Person: p, Crumb: record.CrumbOf(v, p.Name), Path: path(p.ID), Sections: sections(p, bonds)}
	if b.Hits, err = s.hits(ctx, v.Account.ID, alert.NewestHits(lists...)); err != nil {
		return err
	}
	b.offer()
	data.Title, data.Script, data.At, data.Body = page.CalmName(p.Name), "record", path(id), b
	return s.Pages.Page(v, "person", data)
}
