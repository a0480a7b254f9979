package rest

import (
	"net/http"

	"rollcall/models"
)

// listCounties answers GET /counties with the slugs that requests take, all on one page by
// default.
func (h *api) listCounties(a *answer, r *http.Request) error {
	all, err := h.root.Query().Counties(r.Context())
	if err != nil {
		return err
	}
	return listAll(h, a, r, "counties", all, func(c *models.County) {
		a.text("slug", c.Slug)
		a.text("name", c.Name)
		a.text("fips", c.FIPS)
	})
}

// listSources answers GET /sources with every source and how current it is. Clients read it to
// decide whether an empty list means anything for a county.
func (h *api) listSources(a *answer, r *http.Request) error {
	all, err := h.root.Query().Sources(r.Context())
	if err != nil {
		return err
	}
	return listAll(h, a, r, "sources", all, func(s *models.Source) {
		a.text("id", s.ID)
		if s.County == nil {
			a.null("county")
		} else {
			a.text("county", s.County.Slug)
		}
		a.text("kind", s.Kind)
		a.text("state", string(s.State()))
		a.utc("last_attempt", s.LastAttempt)
		a.utc("last_success", s.LastSuccess)
		a.optionalNumber("lag_seconds", s.LagSeconds())
		a.optionalText("note", s.PlainNote())
		covered := make([]string, 0, len(s.Coverage()))
		for _, c := range s.Coverage() {
			covered = append(covered, c.Slug)
		}
		a.texts("coverage", covered)
	})
}

// listAll writes a page of a list that is short enough to be read whole. The default limit is the
// largest, so that a caller who asks for no page gets everything. fields writes the members of
// one element.
func listAll[T any](h *api, a *answer, r *http.Request, name string, all []T, fields func(T)) error {
	p := newParams(r.URL.RawQuery)
	limit, offset := p.page(models.MaxLimit)
	if p.err != nil {
		return p.err
	}
	from := min(offset, len(all))
	a.openList(len(all), limit, offset, name)
	for _, v := range all[from:min(from+limit, len(all))] {
		a.object()
		fields(v)
		a.endObject()
	}
	a.closeList()
	return h.link(a, r, part{limit: limit, offset: offset}, from+limit < len(all), nil)
}

// showUsage answers GET /usage with how much of its request limit the account has used, and its
// last 24 hours.
func (h *api) showUsage(a *answer, r *http.Request) error {
	u, err := h.root.Query().Usage(r.Context())
	if err != nil {
		return err
	}
	a.object()
	a.number("limit", u.Limit)
	a.number("remaining", u.Remaining)
	a.number("reset_seconds", u.ResetSeconds)
	a.array("last_day")
	for _, hour := range u.LastDay {
		a.object()
		a.instant("hour", hour.Hour.UTC())
		a.number("requests", hour.Requests)
		a.number("limited", hour.Limited)
		a.endObject()
	}
	a.endArray()
	a.endObject()
	return nil
}
