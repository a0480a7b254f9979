package delivery

import (
	"encoding/json"
	"net/url"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// Row is a delivery with what pages show of it.
type Row struct {
	*models.Delivery
	// Webhook is where it goes, also one that is deleted.
	Webhook *models.Webhook
	// Alert is nil for a test, and for a notice about a source.
	Alert *models.Watcher
	// Tries are the attempts, oldest first.
	Tries []*models.Attempt
	// Step is from what to what its event changed the bond; nil: it did not, or its record must not be shown.
	Step  *fact.Step
	facts *models.EventFacts
}

// Mail reports whether it is a mail, and no request to an endpoint.
func (r Row) Mail() bool { return r.Way == models.ByEmail }

// UnderWay reports whether an attempt is still to come.
func (r Row) UnderWay() bool {
	return r.State == models.DeliveryPending || r.State == models.DeliveryFailed
}

// Empty reports whether there is no body to show: its record must not be shown any more.
func (r Row) Empty() bool { return len(r.Body) == 0 }

// Subject is whom or what it is about, as its body says; empty: it says nothing of it.
func (r Row) Subject() string {
	var body struct {
		Record *struct{ ID, Name string }
		Source *struct{ Title string }
	}
	switch err := json.Unmarshal(r.Body, &body); {
	case err != nil:
		return "" // a body that is no JSON is shown on the delivery's own page
	case body.Record != nil && body.Record.Name != "":
		return body.Record.Name
	case body.Record != nil:
		return body.Record.ID
	case body.Source != nil:
		return body.Source.Title
	}
	return ""
}

// What says what it is.
func (r Row) What() words.Text {
	if r.Test() {
		return words.T("test")
	}
	return fact.EventOf(models.EventKind(r.Kind), r.facts)
}

var (
	tones = map[models.DeliveryState]string{
		models.DeliveryPending: "accent", models.DeliveryDelivered: "good", models.DeliveryFailed: "warn", models.DeliveryDropped: "bad",
	}
	states = map[models.DeliveryState]words.Text{
		models.DeliveryPending: words.T("waiting"), models.DeliveryDelivered: words.T("delivered"),
		models.DeliveryFailed: words.T("will be tried again"), models.DeliveryDropped: words.T("dropped"),
	}
)

// Tone is the colour of its state.
func (r Row) Tone() string { return tones[r.State] }

// To says where it goes: a host, or an e-mail address.
func (r Row) To() words.Text {
	if r.Webhook.Bin != nil {
		return words.T("to the request bin")
	}
	to := r.Webhook.Address()
	if to == "" {
		to = r.Webhook.URL
		if u, err := url.Parse(r.Webhook.URL); err == nil {
			to = u.Host
		}
	}
	return words.T("to {1}", to)
}

// Endpoint says where it goes in full. A request bin has no address of its own.
func (r Row) Endpoint() words.Text { return endpoint(r.Webhook) }

func endpoint(h *models.Webhook) words.Text {
	switch {
	case h.Bin != nil:
		return words.T("Request bin")
	case h.Address() != "":
		return words.Plain(h.Address())
	}
	return words.Plain(h.URL)
}

// Details are why the last attempt failed, when the next one is, how many there were, and of which alert it is.
func (r Row) Details() words.Text {
	var said []words.Text
	tries := words.T("not tried yet")
	if !r.UnderWay() {
		tries = words.T("never tried")
	}
	if n := len(r.Tries); n > 0 {
		tries = words.T("{1 attempt|attempts}", n)
		if last := r.Tries[n-1]; last.Error != nil && r.State != models.DeliveryDelivered {
			said = append(said, words.Said(*last.Error))
		}
	}
	if r.State == models.DeliveryFailed && r.NextAttempt != nil {
		said = append(said, words.T("next try {1}", words.When(*r.NextAttempt)))
	}
	said = append(said, tries)
	if r.Alert != nil {
		said = append(said, words.T("alert {1}", calledAlert(r.Alert)))
	}
	return words.Join(" · ", said...)
}

// calledAlert is the name of an alert with its label.
func calledAlert(w *models.Watcher) string {
	if w.Label == nil {
		return w.Name
	}
	return w.Name + " (" + *w.Label + ")"
}

// Last returns the newest deliveries to an endpoint.
func (s Site) Last(v *page.Visit, webhookID string, most int) ([]Row, error) {
	found, err := s.Store.Deliveries(v.R.Context(), v.Account.ID, models.DeliveryFilter{WebhookID: &webhookID}, models.Page{Limit: most})
	if err != nil {
		return nil, err
	}
	return s.rows(v, found.Deliveries)
}

// rows reads the endpoints, alerts, attempts and facts of deliveries: each in one statement.
func (s Site) rows(v *page.Visit, found []*models.Delivery) ([]Row, error) {
	ctx, account := v.R.Context(), v.Account.ID
	var ids, hooks, watchers, events []string
	for _, d := range found {
		ids, hooks = append(ids, d.ID), append(hooks, d.WebhookID)
		if d.WatcherID != nil {
			watchers = append(watchers, *d.WatcherID)
		}
		if d.EventID != nil && !d.Withheld {
			events = append(events, *d.EventID)
		}
	}
	ends, err := s.Store.WebhooksByID(ctx, account, hooks)
	if err != nil {
		return nil, err
	}
	alerts, err := s.Store.WatchersByID(ctx, account, watchers)
	if err != nil {
		return nil, err
	}
	tries, err := s.Store.AttemptsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	facts, err := s.Store.FactsOfEvents(ctx, account, events)
	if err != nil {
		return nil, err
	}
	endOf, alertOf := map[string]*models.Webhook{}, map[string]*models.Watcher{}
	for _, h := range ends {
		endOf[h.ID] = h
	}
	for _, w := range alerts {
		alertOf[w.ID] = w
	}
	rows := make([]Row, len(found))
	for i, d := range found {
		made := tries[d.ID]
		made = made[:min(len(made), d.Attempts)] // not one that was made after the delivery was read
		rows[i] = Row{Delivery: d, Webhook: endOf[d.WebhookID], Tries: made}
		if d.WatcherID != nil {
			rows[i].Alert = alertOf[*d.WatcherID]
		}
		if d.EventID != nil {
			rows[i].facts = facts[*d.EventID]
			rows[i].Step = fact.StepOf(models.EventKind(d.Kind), facts[*d.EventID])
		}
	}
	return rows, nil
}
