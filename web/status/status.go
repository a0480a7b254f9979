package status

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web/page"
)

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	pages   *page.Pages
	store   *store.Store
	reports *reporter
}

// New returns the pages. now is the clock.
func New(pages *page.Pages, s *store.Store, now func() time.Time) *Site {
	return &Site{pages: pages, store: s, reports: &reporter{store: s, now: now}}
}

// Routes adds the pages to a router. /status and /status.json are for anybody.
func (s *Site) Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.pages.Guard, s.pages.Form)
		r = page.WithHead{Router: r}
		r.Get("/status", s.pages.Open(s.show))
		r.Get("/status.json", s.pages.Open(s.data))
		r.Get("/operator/incidents", s.pages.Operator(func(v *page.Visit) error { return s.incidents(v, form{}, nil) }))
		r.Post("/operator/incidents", s.pages.Operator(s.begin))
		r.Post("/operator/incidents/{id}", s.pages.Operator(s.update))
	})
}

// body is what the status page shows.
type body struct {
	*Report
	// Late are the sources that are not current, Rest the others.
	Late, Rest []Source
	// Open are the incidents that go on, Past the others.
	Open, Past []*source.Incident
}

// show shows the status page.
func (s *Site) show(w http.ResponseWriter, r *http.Request) error {
	report, err := s.reports.report(r.Context())
	if err != nil {
		return err
	}
	b := body{Report: report}
	for _, src := range report.Sources {
		if src.State == string(models.SourceOK) {
			b.Rest = append(b.Rest, src)
		} else {
			b.Late = append(b.Late, src)
		}
	}
	for _, i := range report.Incidents {
		if i.EndedAt == nil {
			b.Open = append(b.Open, i)
		} else {
			b.Past = append(b.Past, i)
		}
	}
	s.pages.Show(w, r, s.pages.Reader(r), http.StatusOK, "status", page.View{Title: "Status", About: "How current rollcall’s sources are by county, and incidents.", Wide: true, Body: b})
	return nil
}

// data answers with the report as JSON.
func (s *Site) data(w http.ResponseWriter, r *http.Request) error {
	report, err := s.reports.report(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=15")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	return json.NewEncoder(w).Encode(report)
}

// form is what was typed into a form of incidents, after a mistake.
type form struct {
	Incidents []*source.Incident
	// Asked is the id of the incident that the mistake is about; empty: of a new one.
	Asked, Title, Text string
	// Preview is the new incident as it will be public, before it is; nil: nothing is to be confirmed.
	Preview *source.Incident
}

// incidents shows the page of operators, and problem, why something was not done.
func (s *Site) incidents(v *page.Visit, f form, problem error) (err error) {
	if f.Incidents, err = s.store.Incidents(v.R.Context()); err != nil {
		return err
	}
	data := page.View{Title: "Incidents", Script: "settings", At: "/operator/incidents", Body: f}
	if problem != nil {
		data.Failed(problem)
		if c := models.CodeOf(problem); c != models.CodeInvalidParameter {
			data.Status = page.StatusOf(c)
		}
	}
	return s.pages.Page(v, "incidents", data)
}

// begin shows what will be public of a new incident, and opens it once that is confirmed.
func (s *Site) begin(v *page.Visit) error {
	title, text := v.R.PostFormValue("title"), v.R.PostFormValue("text")
	if v.R.PostFormValue("sure") == "" {
		i, err := s.store.NewIncident(title, text)
		return s.incidents(v, form{Title: title, Text: text, Preview: i}, err)
	}
	i, err := s.store.OpenIncident(v.R.Context(), title, text)
	if models.CodeOf(err) == models.CodeInvalidParameter {
		return s.incidents(v, form{Title: title, Text: text}, err)
	}
	if err != nil {
		return err
	}
	return s.done(v, "incident: publish the incident", i, "incident-opened")
}

// update says more of an incident, or that it has ended.
func (s *Site) update(v *page.Visit) error {
	id, text := v.Param("id"), v.R.PostFormValue("text")
	ended := v.R.PostFormValue("ended") != ""
	i, err := s.store.UpdateIncident(v.R.Context(), id, text, ended)
	if c := models.CodeOf(err); c == models.CodeInvalidParameter || c == models.CodeConflict {
		return s.incidents(v, form{Asked: id, Text: text}, err)
	}
	if err != nil {
		return err
	}
	action := "incident: publish the update"
	if ended {
		action = "incident: publish the update, ended"
	}
	return s.done(v, action, i, "incident-updated")
}

// done writes the trail, has the status page read anew, and leads back.
func (s *Site) done(v *page.Visit, action string, i *source.Incident, word string) error {
	s.reports.forget()
	if err := s.pages.Trail(v, action, i.ID+": "+i.Title); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/operator/incidents?done="+word)
}
