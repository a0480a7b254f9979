package notify

import (
	"errors"
	"slices"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// emails routes the forms of e-mail endpoints.
func (s *Site) emails(r chi.Router) {
	to := Address + "/email"
	r.Post(to, s.Pages.SignedIn(s.addEmail))
	r.Post(to+"/{id}", s.Pages.SignedIn(s.changeEmail))
	r.Post(to+"/{id}/ask", s.Pages.SignedIn(s.askAgain))
	r.Post(to+"/{id}/test", s.Pages.SignedIn(s.testEmail))
	r.Post(to+"/{id}/delete", s.Pages.SignedIn(s.deleteEmail))
}

// emailForm is what the form of a new e-mail endpoint holds.
type emailForm struct {
	Address, Digest string
	Events          []models.EventKind
	Notices         []models.Notice
}

// Has reports whether a kind of event is chosen.
func (f emailForm) Has(kind string) bool { return slices.Contains(f.Events, models.EventKind(kind)) }

// HasNotice reports whether a notice is chosen.
func (f emailForm) HasNotice(word string) bool {
	return slices.Contains(f.Notices, models.Notice(word))
}

// Kinds are the kinds of events that a form offers.
func (body) Kinds() []fact.Offer { return fact.EventOffers }

// Notices are the notices that a form offers.
func (body) Notices() []fact.Offer { return fact.NoticeOffers }

// Sends says of what an endpoint is sent mails, in the words of the form.
func (b body) Sends(h *models.Webhook) words.Text {
	var said []words.Text
	for _, kind := range b.Kinds() {
		if b.Chosen(h, kind.Word) {
			said = append(said, kind.Says)
		}
	}
	for _, n := range b.Notices() {
		if b.Noticed(h, n.Word) {
			said = append(said, n.Says)
		}
	}
	return words.Join(" · ", said...)
}

// Noticed reports whether an endpoint is sent a notice.
func (body) Noticed(h *models.Webhook, word string) bool {
	return slices.Contains(h.Notices, models.Notice(word))
}

// Chosen reports whether an endpoint is sent a kind of event.
func (body) Chosen(h *models.Webhook, kind string) bool {
	return slices.Contains(h.Events, models.EventKind(kind))
}

// errNoMail is for a service that sends no mail.
var errNoMail = &models.Error{
	Code:    models.CodeConflict,
	Message: "this service sends no e-mail: its operator has to set ROLLCALL_SMTP_URL and ROLLCALL_MAIL_FROM",
}

// readForm reads the kinds of events, the notices and the digest of a form.
func readForm(v *page.Visit) emailForm {
	f := emailForm{Address: v.R.PostFormValue("address"), Digest: v.R.PostFormValue("digest"), Events: []models.EventKind{}, Notices: []models.Notice{}}
	for _, word := range v.R.Form["events"] {
		f.Events = append(f.Events, models.EventKind(word))
	}
	for _, word := range v.R.Form["notices"] {
		f.Notices = append(f.Notices, models.Notice(word))
	}
	return f
}

// addEmail adds an address and asks its owner to confirm it.
func (s *Site) addEmail(v *page.Visit) error {
	if err := mayNotify(v); err != nil {
		return err
	}
	f := readForm(v)
	if s.Mail == nil {
		return s.show(v, body{Email: f}, errNoMail)
	}
	h, err := s.Store.CreateEmail(v.R.Context(), v.Account.ID, &delivery.NewEmail{
		Address: f.Address, Events: f.Events, Notices: &f.Notices, Digest: models.Digest(f.Digest),
	})
	if page.Mendable(err) {
		return s.show(v, body{Email: f}, err)
	}
	if err == nil {
		err = s.record(v, "e-mail endpoint added", h.Place())
	}
	if err != nil {
		return err
	}
	return s.ask(v, h)
}

// ask sends the confirmation and says what came of it.
func (s *Site) ask(v *page.Visit, h *models.Webhook) error {
	err := s.Mail.Confirm(v.R.Context(), h, v.Account.Name)
	if _, known := errors.AsType[*models.Error](err); known {
		return s.show(v, body{}, err)
	}
	if err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, Address+"?done=mail-asked")
}

// askAgain sends the confirmation once more, to an address that never confirmed, unsubscribed or bounced.
func (s *Site) askAgain(v *page.Visit) error {
	if err := mayNotify(v); err != nil {
		return err
	}
	if s.Mail == nil {
		return s.show(v, body{}, errNoMail)
	}
	h, err := s.Store.AskEmail(v.R.Context(), v.Account.ID, v.Param("id"))
	if page.Mendable(err) {
		return s.show(v, body{}, err)
	}
	if err != nil {
		return err
	}
	return s.ask(v, h)
}

// changeEmail saves events, notices, digest and pause.
func (s *Site) changeEmail(v *page.Visit) error {
	f, paused := readForm(v), v.R.PostFormValue("paused") != ""
	digest := models.Digest(f.Digest)
	h, err := s.Store.UpdateEmail(v.R.Context(), v.Account.ID, v.Param("id"), delivery.EmailChange{
		Events: &f.Events, Notices: &f.Notices, Digest: &digest, Paused: &paused,
	})
	if page.Mendable(err) {
		return s.show(v, body{}, err)
	}
	if err == nil {
		err = s.record(v, "e-mail endpoint changed", h.Place())
	}
	if err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, Address+"?done=mail-changed")
}

// testEmail sends an event of an invented record.
func (s *Site) testEmail(v *page.Visit) error {
	if err := mayNotify(v); err != nil {
		return err
	}
	h, err := s.Store.Email(v.R.Context(), v.Account.ID, v.Param("id"))
	if err != nil {
		return err
	}
	d, err := s.Store.CreateTestDelivery(v.R.Context(), v.Account.ID, h.ID, s.TestBody)
	if page.Mendable(err) {
		return s.show(v, body{}, err)
	}
	if err == nil {
		err = s.record(v, "e-mail endpoint tested", h.Place())
	}
	if err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/deliveries/"+d.ID)
}

// deleteEmail ends an endpoint, whatever the plan.
func (s *Site) deleteEmail(v *page.Visit) error {
	h, err := s.Store.Email(v.R.Context(), v.Account.ID, v.Param("id"))
	if err == nil {
		err = s.Store.DeleteEmail(v.R.Context(), v.Account.ID, h.ID)
	}
	if err != nil {
		return err
	}
	if err := s.record(v, "e-mail endpoint deleted", h.Place()); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, Address+"?done=mail-deleted")
}
