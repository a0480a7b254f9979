package delivery

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// listSize is how many deliveries a page shows.
const listSize = 30

// shortID is how much of an id tells two endpoints or alerts apart: its kind and some letters.
const shortID = 12

// Site serves the pages. It is safe for concurrent use.
type Site struct{ *page.Pages }

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/deliveries", s.Entitled("Deliveries", s.list))
	r.Get("/deliveries/{id}", s.Entitled("Delivery", s.show))
	r.Post("/deliveries/{id}/again", s.Entitled("Delivery", s.again))
}

// filter is what narrows the list, as the address has it; empty members do not.
type filter struct{ State, Webhook, Alert, From, To string }

// filterOf reads a filter. A state that is none, and days that are none, do not narrow.
func filterOf(asked url.Values) filter {
	f := filter{strings.ToUpper(asked.Get("state")), asked.Get("webhook"), asked.Get("alert"), asked.Get("from"), asked.Get("to")}
	if _, err := models.ParseDeliveryState(f.State); err != nil {
		f.State = ""
	}
	for _, day := range []*string{&f.From, &f.To} {
		if _, err := models.ParseDate(*day); err != nil {
			*day = ""
		}
	}
	return f
}

// Narrowed reports whether the filter leaves anything out.
func (f filter) Narrowed() bool { return f != filter{} }

// mistake returns why no delivery can be of the days; nil: one can.
func (f filter) mistake() error {
	if f.From != "" && f.To != "" && f.From > f.To {
		return models.Invalid("from", "from must not be after to")
	}
	return nil
}

// address returns the address of the page behind a cursor, or of the newest.
func (f filter) address(after string) string {
	asked := url.Values{}
	for name, value := range map[string]string{"state": f.State, "webhook": f.Webhook, "alert": f.Alert, "from": f.From, "to": f.To, "after": after} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	return (&url.URL{Path: "/deliveries", RawQuery: asked.Encode()}).String()
}

// deliveries returns what the store narrows by. Days are Georgia's, the last one included.
func (f filter) deliveries() models.DeliveryFilter {
	out := models.DeliveryFilter{WebhookID: models.NilIfEmpty(f.Webhook), WatcherID: models.NilIfEmpty(f.Alert)}
	if state, err := models.ParseDeliveryState(f.State); err == nil {
		out.State = &state
	}
	if day, err := models.ParseDate(f.From); err == nil {
		out.From = new(day.In(models.Georgia).In(time.UTC))
	}
	if day, err := models.ParseDate(f.To); err == nil {
		out.To = new(day.Next().In(models.Georgia).In(time.UTC))
	}
	return out
}

// option is a choice of the filter.
type option struct {
	Value  string
	Says   words.Text
	Chosen bool
}

// apart adds the beginning of the id to options that read alike.
func apart(all []option) []option {
	alike := map[string]int{}
	for _, o := range all {
		alike[o.Says.In(words.English)]++
	}
	for i, o := range all {
		if alike[o.Says.In(words.English)] > 1 {
			all[i].Says = words.T("{1} ({2}…)", o.Says, o.Value[:min(len(o.Value), shortID)])
		}
	}
	return all
}

// choose marks the option with a value as chosen; one that the list lacks is added, by its value.
func choose(all []option, value string) []option {
	i := slices.IndexFunc(all, func(o option) bool { return o.Value == value })
	if i < 0 && value != "" {
		i, all = len(all), append(all, option{Value: value, Says: words.Plain(value)})
	}
	if i >= 0 {
		all[i].Chosen = true
	}
	return all
}

// listBody is what the list shows.
type listBody struct {
	filter
	States, Webhooks, Alerts []option
	Rows                     []Row
	// Older is the address of what comes behind, and Newest that of the first page; empty: there is none, or it is this one.
	Older, Newest string
}

// list shows a page of deliveries, newest first.
func (s Site) list(v *page.Visit) error {
	asked := v.R.URL.Query()
	b := &listBody{filter: filterOf(asked)}
	data := page.View{Title: "Deliveries", Script: "deliveries", Body: b}
	err := b.mistake()
	if err == nil {
		err = s.fillRows(v, b, asked.Get("after"))
	}
	if models.CodeOf(err) == models.CodeInvalidParameter {
		data.Failed(err)
		err = nil
	}
	if err == nil {
		err = s.fillFilter(v, b)
	}
	if err != nil {
		return err
	}
	return s.Page(v, "deliveries", data)
}

// fillRows reads the deliveries of the page behind a cursor.
func (s Site) fillRows(v *page.Visit, b *listBody, after string) error {
	found, err := s.Store.Deliveries(v.R.Context(), v.Account.ID, b.deliveries(), models.Page{Limit: listSize, After: after})
	if err != nil {
		return err
	}
	if after != "" {
		b.Newest = b.address("")
	}
	if found.PageInfo.HasNextPage {
		end, err := found.PageInfo.End()
		if err != nil {
			return err
		}
		b.Older = b.address(end)
	}
	b.Rows, err = s.rows(v, found.Deliveries)
	return err
}

// fillFilter reads what the list can be narrowed to.
func (s Site) fillFilter(v *page.Visit, b *listBody) error {
	ctx, account := v.R.Context(), v.Account.ID
	for _, state := range []models.DeliveryState{models.DeliveryPending, models.DeliveryDelivered, models.DeliveryFailed, models.DeliveryDropped} {
		b.States = append(b.States, option{Value: strings.ToUpper(string(state)), Says: states[state]})
	}
	hooks, err := s.Store.Webhooks(ctx, account, models.Page{Limit: models.MaxLimit})
	if err != nil {
		return err
	}
	mails, err := s.Store.Emails(ctx, account)
	if err != nil {
		return err
	}
	for _, h := range hooks.Webhooks {
		b.Webhooks = append(b.Webhooks, option{Value: h.ID, Says: endpoint(h)})
	}
	for _, h := range mails {
		b.Webhooks = append(b.Webhooks, option{Value: h.ID, Says: endpoint(h)})
	}
	alerts, err := s.Store.Watchers(ctx, account, models.Page{Limit: models.MaxLimit})
	if err != nil {
		return err
	}
	for _, w := range alerts.Watchers {
		b.Alerts = append(b.Alerts, option{Value: w.ID, Says: words.Join(", ", words.Plain(w.Name), fact.AlertLine(w))})
	}
	b.States, b.Webhooks, b.Alerts = choose(b.States, b.State), choose(apart(b.Webhooks), b.Webhook), choose(apart(b.Alerts), b.Alert)
	return nil
}
