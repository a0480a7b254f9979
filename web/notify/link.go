package notify

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/bulletin"
	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// links routes the pages behind the links of mails. Their token is the authority: nobody has to sign in. Programs
// that scan mails open links, so opening one changes nothing.
func (s *Site) links(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.Pages.Guard, s.Pages.Form)
		r = page.WithHead{Router: r}
		for _, p := range []signedlink.Purpose{signedlink.Confirm, signedlink.Unsubscribe} {
			r.Get(signedlink.Path(p)+"{token}", s.Pages.Open(func(w http.ResponseWriter, r *http.Request) error { return s.offer(w, r, p) }))
		}
		r.Get(signedlink.Path(signedlink.Hit)+"{token}", s.Pages.Open(s.hit))
		r.Post(signedlink.Path(signedlink.Confirm)+"{token}", s.Pages.Open(s.confirm))
	})
	// Mailboxes send the one-click form from wherever they are, as urlencoded or multipart (RFC 8058). The token says all.
	r.Post(signedlink.Path(signedlink.Unsubscribe)+"{token}", s.Pages.Open(s.unsubscribe))
}

// linkBody is what the page behind a link shows.
type linkBody struct {
	// Text is a sentence; Button sends the form, and is empty where there is nothing to decide.
	Text, Button words.Text
	// Event is what was reported; nil but for a hit.
	Event *bulletin.Event
	// Now are the facts of the record at present, and Fresh how current they are.
	Now   []bulletin.Fact
	Fresh string
	// Signed means that the reader is signed in to the account that the mail is of.
	Signed bool
}

// Caution is what every message about people says.
func (linkBody) Caution() string { return bulletin.Caution }

// open returns what the token of a request is about.
func (s *Site) open(r *http.Request, p signedlink.Purpose) (signedlink.Target, error) {
	return s.Links.Open(p, chi.URLParam(r, "token"), time.Now())
}

// said shows the page behind a link.
func (s *Site) said(w http.ResponseWriter, r *http.Request, title string, b linkBody) error {
	w.Header().Set("Referrer-Policy", "no-referrer")
	s.Pages.Show(w, r, nil, http.StatusOK, "mail-link", page.View{Title: title, Body: b})
	return nil
}

// offer shows the button of a link that changes something.
func (s *Site) offer(w http.ResponseWriter, r *http.Request, p signedlink.Purpose) error {
	t, err := s.open(r, p)
	if err != nil {
		return err
	}
	h, err := s.Store.EmailByLink(r.Context(), t.ID, t.Address)
	if p == signedlink.Unsubscribe {
		if models.CodeOf(err) == models.CodeNotFound || err == nil && h.Status == models.WebhookDisabled {
			return s.said(w, r, "Unsubscribe", linkBody{Text: words.T("No alerts are sent to {1}.", strings.TrimPrefix(t.Address, models.Mailto))})
		}
		if err != nil {
			return err
		}
		text, err := s.sending(r, h, words.T("Alerts are sent to {1}.", h.Address()))
		if err != nil {
			return err
		}
		return s.said(w, r, "Unsubscribe", linkBody{Text: text, Button: words.T("Unsubscribe")})
	}
	if err != nil {
		return err
	}
	if h.Status == models.WebhookActive {
		return s.confirmed(w, r, h, words.T("Alerts are sent to {1}. Each e-mail has a link to stop them.", h.Address()))
	}
	if h.ConfirmedAt != nil && t.Asked().Before(*h.ConfirmedAt) {
		return s.said(w, r, "Confirm your address", linkBody{Text: words.T("This link was already used. Ask the account that added your address to send a new one.")})
	}
	return s.said(w, r, "Confirm your address", linkBody{Text: words.T("Confirm to get alerts about Georgia jail bookings at {1}.", h.Address()), Button: words.T("Send me alerts")})
}

// confirm makes an endpoint active.
func (s *Site) confirm(w http.ResponseWriter, r *http.Request) error {
	t, err := s.open(r, signedlink.Confirm)
	if err != nil {
		return err
	}
	h, err := s.Store.ConfirmEmail(r.Context(), t.ID, t.Address, t.Asked())
	if err == nil {
		err = s.byRecipient(r, h, "e-mail address confirmed")
	}
	if err != nil {
		return err
	}
	return s.confirmed(w, r, h, words.T("Alerts are now sent to {1}. Each e-mail has a link to stop them.", h.Address()))
}

// confirmed shows that an address is confirmed, and what is sent to it.
func (s *Site) confirmed(w http.ResponseWriter, r *http.Request, h *models.Webhook, text words.Text) error {
	text, err := s.sending(r, h, text)
	if err != nil {
		return err
	}
	return s.said(w, r, "Confirmed", linkBody{Text: text})
}

// sending returns text, which says that alerts are sent, or that none are while the account of the address may have none.
func (s *Site) sending(r *http.Request, h *models.Webhook, text words.Text) (words.Text, error) {
	a, err := s.Store.Account(r.Context(), h.AccountID)
	if err != nil || a.Entitled() {
		return text, err
	}
	return words.T("No alerts are sent to {1} now. The account that added it is suspended or has another plan.", h.Address()), nil
}

// unsubscribe ends the mails to an address. It answers 200 also when there is nothing to end any more.
func (s *Site) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, page.MaxForm)
	t, err := s.open(r, signedlink.Unsubscribe)
	if err != nil {
		return err
	}
	h, err := s.Store.UnsubscribeEmail(r.Context(), t.ID, t.Address)
	if err == nil {
		err = s.byRecipient(r, h, "e-mail address unsubscribed")
	}
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return err
	}
	return s.said(w, r, "Unsubscribe", linkBody{Text: words.T("Alerts are no longer sent to {1}.", strings.TrimPrefix(t.Address, models.Mailto))})
}

// byRecipient adds a line to the trail of the account of an endpoint.
func (s *Site) byRecipient(r *http.Request, h *models.Webhook, action string) error {
	return s.Store.RecordEvent(r.Context(), models.AccountEvent{AccountID: h.AccountID, Actor: "the recipient", Action: action, Subject: h.Place()})
}

// hit shows what a mail reported and what is known now. What must not be shown any more is not.
func (s *Site) hit(w http.ResponseWriter, r *http.Request) error {
	t, err := s.open(r, signedlink.Hit)
	if err != nil {
		return err
	}
	ctx := r.Context()
	a, err := s.Store.Account(ctx, t.Address)
	if err != nil {
		return err
	}
	if !a.Entitled() {
		return page.ErrNoPage
	}
	d, err := s.Store.Delivery(ctx, t.Address, t.ID)
	if err != nil {
		return err
	}
	gone := linkBody{Text: words.T("This record is no longer shown.")}
	if d.Withheld || d.EventID == nil {
		return s.said(w, r, "Alert", gone)
	}
	facts, err := s.Store.FactsOfEvents(ctx, t.Address, []string{*d.EventID})
	if err != nil {
		return err
	}
	f := facts[*d.EventID]
	if f == nil {
		return s.said(w, r, "Alert", gone)
	}
	e := bulletin.OfFacts(*d.EventID, models.EventKind(d.Kind), d.CreatedAt, f)
	if d.Match != nil {
		e.Reasons = d.Match.Reasons
	}
	b, err := s.Store.BookingByID(ctx, f.RecordID)
	if models.CodeOf(err) == models.CodeNotFound {
		return s.said(w, r, "Alert", gone)
	}
	if err != nil {
		return err
	}
	fresh, err := s.Store.Freshness(ctx, models.Roster, &f.County.Slug)
	if err != nil {
		return err
	}
	bonds, err := s.Store.BondsOf(ctx, []*models.Booking{b})
	if err != nil {
		return err
	}
	now := []bulletin.Fact{{Name: "Status", Value: fact.Custody(b).Word.String()}}
	if release := b.Release(); release != nil {
		now = append(now, bulletin.Release(release))
	}
	now = append(now, bulletin.Born(b.Dob, b.BirthYear), bulletin.Bond(bonds[b.RID]))
	reader, err := s.Pages.Sessions.Visitor(r)
	signed := err == nil && reader.Account.ID == t.Address
	calm := *e
	calm.Name = page.CalmName(e.Name)
	return s.said(w, r, calm.Title(), linkBody{Event: e, Now: now, Fresh: bulletin.Fresh(f.County.Name, fresh), Signed: signed})
}
