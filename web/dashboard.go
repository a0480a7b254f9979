package web

import (
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/page"
)

// dashboard routes the search and the pages of counties.
func (s *Site) dashboard(r chi.Router) {
	r.Get("/counties", s.records("counties", "Counties", s.covered))
	r.Get("/counties/{slug}", s.records("county", "County", s.county))
}

// frame is what a page of the dashboard shows by itself; its script asks /graphql for everything
// else.
type frame struct {
	// Slug of the county, as its address has it.
	ID       string
	County   *models.County
	Counties []page.County
	// Rows that the list of counties with a source will have.
	Covered int
	// Map shows every county with its coverage.
	Map []mapped
	// Some source reports the county's jail.
	Jail bool
	// Some source reports its court cases.
	Courts bool
}

// county returns the frame of a county's page, with whether its jail and courts are read.
// Without a source an empty list says nothing about custody, and the page says so.
func (s *Site) county(v *page.Visit) (frame, error) {
	c, err := s.Store.Counties().BySlug(v.Param("slug"))
	if err != nil {
		return frame{}, models.NotFound("county not found; Georgia has 159 counties, and this is not one of them")
	}
	sources, err := s.Store.Sources(v.R.Context())
	if err != nil {
		return frame{}, err
	}
	f := frame{ID: c.Slug, County: c}
	for _, src := range sources {
		told := src.Counties()
		switch models.Family(src.Kind) {
		case models.Roster:
			f.Jail = f.Jail || slices.Contains(told, c)
		case models.Courts:
			f.Courts = f.Courts || len(told) == 0 || slices.Contains(told, c)
		}
	}
	return f, nil
}

// covered counts the counties whose jail a source reports, so that the page keeps their space
// from the start.
func (s *Site) covered(v *page.Visit) (frame, error) {
	n, err := s.Store.JailsCovered(v.R.Context(), nil)
	if err != nil {
		return frame{}, err
	}
	sources, err := s.Store.Sources(v.R.Context())
	if err != nil {
		return frame{}, err
	}
	all, err := s.coverage(v, lateJails(sources))
	return frame{Covered: n, Map: all}, err
}

// records returns the handler of a page whose script reads records. of returns what the page
// itself shows; nil: nothing.
func (s *Site) records(name, title string, of func(*page.Visit) (frame, error)) http.HandlerFunc {
	return s.Entitled(title, func(v *page.Visit) error {
		var f frame
		var err error
		if of != nil {
			if f, err = of(v); err != nil {
				return err
			}
		}
		shown := title
		if f.County != nil {
			shown = f.County.Name + " County"
		}
		if f.Counties, err = s.Counties(v.R.Context()); err != nil {
			return err
		}
		return s.Page(v, name, page.View{Title: shown, Script: name, Body: f})
	})
}
