package watch

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/picture"
)

// Site serves the pages of watchers. It is safe for concurrent use.
type Site struct {
	*page.Pages
	// Turns bound imports.
	Turns *turn.Turns
	// Exports let an account have one export at a time. Those of other accounts do not wait: a reader may be slow.
	Exports *turn.Turns
	Album   picture.Album
}

// Routes adds the pages to a router, which package web guards.
func (s Site) Routes(r chi.Router) {
	r.Get("/alerts", s.byPlan(s.Entitled("Alerts", s.listAlerts), s.leftAlerts))
	r.Post("/alerts", s.Entitled("Alerts", s.changeAlerts))
	r.Get("/alerts/new", s.Entitled("New alert", s.newAlert))
	r.Post("/alerts/new", s.Entitled("New alert", s.createAlert))
	r.Get("/alerts/export.csv", s.Entitled("Alerts", s.exportAlerts))
	r.Get("/alerts/hits.csv", s.Entitled("Alerts", s.exportHits))
	r.Get("/alerts/{id}", s.Entitled("Alert", s.showAlert))
	r.Post("/alerts/{id}", s.Entitled("Alert", s.changeAlert))
	r.Post("/alerts/{id}/hits", s.Entitled("Alert", s.judgeHit))
	r.Post("/alerts/{id}/widen", s.Entitled("Alert", s.widenAlert))
	r.Post("/alerts/{id}/resume", s.Entitled("Alert", s.resumeAlert))
	r.Get("/alerts/{id}/narrow", s.Entitled("Narrow an alert", s.showNarrow))
	r.Post("/alerts/{id}/narrow", s.Entitled("Narrow an alert", s.narrowAlert))
	r.Post("/alerts/{id}/pause", s.SignedIn(s.pauseAlert))
	r.Post("/alerts/{id}/delete", s.SignedIn(s.deleteAlert))
	r.Get("/inbox", s.Entitled("Inbox", s.showInbox))
	r.Post("/inbox", s.Entitled("Inbox", s.handleHits))
	r.Get("/activity", s.Entitled("Live activity", s.activity))
}

// Uploads adds the pages that take files, which package web guards by page.Upload.
func (s Site) Uploads(r chi.Router) {
	r.Get(importing, s.Entitled("Import names", s.showImport))
	r.Post(importing, s.Entitled("Import names", s.tryImport))
	r.Post(importing+"/create", s.Entitled("Import names", s.confirmImport))
}

// activity shows the page whose script follows what alerts find.
func (s Site) activity(v *page.Visit) error {
	return s.Page(v, "activity", page.View{Title: "Live activity", Script: "activity"})
}

// byPlan shows has to accounts with alerts, and left to accounts that lost the plan.
func (s Site) byPlan(has http.HandlerFunc, left func(*page.Visit) error) http.HandlerFunc {
	fallen := s.SignedIn(left)
	return func(w http.ResponseWriter, r *http.Request) {
		if v := s.Reader(r); v != nil && v.Account.Plan != models.Enterprise {
			fallen(w, r)
			return
		}
		has(w, r)
	}
}

// leftSize is how many alerts one page shows to an account that lost the plan.
const leftSize = 50

// leftBody is what the page of alerts shows to an account that may make none any more.
type leftBody struct {
	// Alerts were made before the plan changed.
	Alerts []*models.Watcher
	// Older is where the next page begins; 0: there is none.
	Total, Older int
}

// leftAlerts lists alerts that can still be paused or deleted, by plain forms. The interface for
// programs is closed to the plan, but nobody must be left with alerts that cannot be taken away.
func (s Site) leftAlerts(v *page.Visit) error {
	offset, err := strconv.Atoi("0" + v.R.URL.Query().Get("from"))
	if err != nil {
		return page.ErrNoPage
	}
	found, err := s.Store.Watchers(v.R.Context(), v.Account.ID, models.Page{Limit: leftSize, Offset: offset})
	if err != nil {
		return err
	}
	if found.Total == 0 && v.R.URL.Query().Get("done") == "" {
		s.WithoutPlan(v, "Alerts")
		return nil
	}
	b := leftBody{Alerts: found.Watchers, Total: found.Total}
	if next := offset + leftSize; next < found.Total {
		b.Older = next
	}
	return s.Page(v, "alerts-left", page.View{Title: "Alerts", Script: "settings", Body: b})
}
