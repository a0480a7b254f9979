package web

import (
	"github.com/go-chi/chi/v5"
)

// alerts are the pages of watchers and of what they found: frames like the dashboard's.
func (s *Site) alerts(r chi.Router) {
	r.Get("/alerts", s.records("alerts", "Alerts", nil))
	r.Get("/alerts/new", s.records("alert-new", "New alert", nil))
	r.Get("/alerts/{id}", s.records("alert", "Alert", known(mine(s.Store.Watcher))))
	r.Get("/activity", s.records("activity", "Live activity", nil))
	r.Get("/deliveries", s.records("deliveries", "Deliveries", nil))
	r.Get("/deliveries/{id}", s.records("delivery", "Delivery", known(mine(s.Store.Delivery))))
}
