// Package operate is the pages on which operators look after sources: their runs, held snapshots and releases, documents, quarantine, and
// the jobs of the queue.
//
// Its templates are among those of package web. It may import web/page, web/fact and models; what it does beyond the store comes as functions.
package operate

import (
	"context"
	"html/template"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models/store"
	"rollcall/web/page"
	"rollcall/web/words"
)

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Rehearse returns what a held snapshot would do.
	Rehearse Rehearser
	// Release ends the hold of a source.
	Release Releaser
	// Replay reads quarantined rows again.
	Replay Replayer
	// RowText decrypts a quarantined row.
	RowText RowText
	// Documents reads and changes source documents.
	Documents Documents
	// Jobs changes jobs of the queue.
	Jobs JobControl
	// Now is the clock.
	Now func() time.Time
}

// Funcs returns what the templates of this package call beside the functions of all pages.
func Funcs() template.FuncMap {
	return template.FuncMap{"people": peopleOf, "records": recordsOf, "lines": linesOf, "alike": alikeOf, "clock": words.Second, "moment": moment, "age": age}
}

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/operator", s.Pages.Operator(func(v *page.Visit) error { return page.Redirect(v.W, v.R, "/operator/sources") }))
	r.Get("/operator/sources", s.Pages.Operator(s.sourcesPage))
	r.Get("/operator/sources/{id}", s.Pages.Operator(s.sourcePage))
	r.Get("/operator/sources/{id}/quarantine", s.Pages.Operator(s.quarantinePage))
	r.Post("/operator/sources/{id}/quarantine", s.Pages.Operator(s.openQuarantine))
	r.Post("/operator/sources/{id}/replay", s.Pages.Operator(s.replay))
	r.Post("/operator/sources/{id}/ignore", s.Pages.Operator(s.ignoreRows("quarantined rows: ignore until they change",
		words.T("{1 row is ignored until it changes|rows are ignored until they change}."), s.Store.IgnoreRows)))
	r.Post("/operator/sources/{id}/unignore", s.Pages.Operator(s.ignoreRows("quarantined rows: stop ignoring",
		words.T("{1 row waits|rows wait} here again."), s.Store.UnignoreRows)))
	r.Get("/operator/jobs", s.Pages.Operator(s.jobsPage))
	r.Post("/operator/jobs/{id}/retry", s.jobAction("job run again", "retried", jobsBody{}.Retriable, s.Jobs.RetryJob))
	r.Post("/operator/jobs/{id}/cancel", s.jobAction("job cancelled", "cancelled", jobsBody{}.Stoppable, s.Jobs.CancelJob))
	r.Post("/operator/jobs/retry", s.jobsAction("jobs run again", "retried-all", jobsBody{}.Retriable, s.Jobs.RetryJob))
	r.Post("/operator/jobs/cancel", s.jobsAction("jobs cancelled", "cancelled-all", jobsBody{}.Stoppable, s.Jobs.CancelJob))
	s.releases(r)
	s.documents(r)
	r.Post("/operator/sources/{id}/hold", s.Pages.Operator(s.hold))
	r.Post("/operator/sources/{id}/read", s.Pages.Operator(s.sourceAction("source: read now", "asked", func(ctx context.Context, id string) error {
		if err := s.Store.AskAgain(ctx, id); err != nil {
			return err
		}
		return s.Jobs.ReadSource(ctx, id)
	})))
	r.Post("/operator/sources/{id}/enable", s.Pages.Operator(s.sourceAction("source: start the schedule", "enabled", s.enable)))
	r.Post("/operator/sources/{id}/disable", s.Pages.Operator(s.sourceAction("source: stop the schedule", "disabled", func(ctx context.Context, id string) error {
		return s.Store.EnableSource(ctx, id, false)
	})))
}
