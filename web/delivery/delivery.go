package delivery

import (
	"bytes"
	"encoding/json"
	"net/http"

	"rollcall/bulletin"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// body is what the page of a delivery shows.
type body struct{ Row }

// Path is the address of the page.
func (b *body) Path() string { return "/deliveries/" + b.ID }

// Settings is the address of the page with its endpoint.
func (b *body) Settings() string {
	if b.Way == models.ByEmail {
		return "/settings/notify"
	}
	if b.Webhook.Bin != nil {
		return "/settings/webhooks/bin"
	}
	return "/settings/webhooks/" + b.WebhookID
}

// Tried is an attempt with its number.
type tried struct {
	*models.Attempt
	Number int
}

// Attempts are the attempts, the first first.
func (b *body) Attempts() []tried {
	out := make([]tried, len(b.Tries))
	for i, a := range b.Tries {
		out[i] = tried{a, i + 1}
	}
	return out
}

// Took says how long the attempt took.
func (t tried) Took() words.Text {
	if t.LatencyMS < 1 {
		return words.T("under 1 ms")
	}
	return words.T("{1} ms", t.LatencyMS)
}

// Said is what the endpoint answered; empty: nothing.
func (t tried) Said() string { return models.EmptyIfNil(t.Answer) }

// Failing reports whether another attempt follows a failed one.
func (b *body) Failing() bool { return b.State == models.DeliveryFailed }

// Bytes counts those of the body.
func (b *body) Bytes() int { return len(b.Body) }

// Exact is the body, byte for byte.
func (b *body) Exact() string { return string(b.Body) }

// Letter is what the mail says; nil where the facts of its person are not known.
func (b *body) Letter() *bulletin.Event {
	f := b.facts
	if f == nil {
		return b.unfounded()
	}
	e := bulletin.OfFacts(b.MessageID, models.EventKind(b.Kind), b.CreatedAt, f)
	if b.Match != nil {
		e.Reasons = b.Match.Reasons
	}
	if b.Alert != nil {
		e.Watched = b.Alert.Name
	}
	return e
}

// unfounded is what a mail says that has no facts beside its body: a test, or a notice about no person.
func (b *body) unfounded() *bulletin.Event {
	e, err := bulletin.Of(&models.QueuedDelivery{ID: b.ID, MessageID: b.MessageID, Kind: models.EventKind(b.Kind), Body: b.Body, Test: b.Test()})
	if err != nil || e.AboutPerson() && !e.Test {
		return nil
	}
	return e
}

// Pretty is the body set out on lines; as it is where it is no JSON.
func (b *body) Pretty() string {
	var out bytes.Buffer
	if json.Indent(&out, b.Body, "", "  ") != nil {
		return b.Exact()
	}
	return out.String()
}

// show shows a delivery.
func (s Site) show(v *page.Visit) error { return s.page(v, page.View{}) }

// page shows the delivery that the address names, with what data says.
func (s Site) page(v *page.Visit, data page.View) error {
	d, err := s.Store.Delivery(v.R.Context(), v.Account.ID, v.Param("id"))
	if err != nil {
		return page.Hidden(err)
	}
	rows, err := s.rows(v, []*models.Delivery{d})
	if err != nil {
		return err
	}
	b := &body{rows[0]}
	data.Title, data.Script, data.At, data.Body = b.Subject(), "delivery", b.Path(), b
	switch {
	case b.Empty():
		data.Title = "A record that is no longer shown"
	case data.Title == "":
		data.Title = "Delivery"
	}
	return s.Page(v, "delivery", data)
}

// again sends a delivery that has ended once more.
func (s Site) again(v *page.Visit) error {
	d, err := s.Store.Redeliver(v.R.Context(), v.Account.ID, v.Param("id"))
	if models.CodeOf(err) == models.CodeConflict {
		data := page.View{Status: http.StatusConflict}
		data.Failed(err)
		return s.page(v, data)
	}
	if err != nil {
		return err
	}
	if err := s.Trail(v, "delivery sent again", d.ID); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/deliveries/"+d.ID+"?done=sent-again")
}
