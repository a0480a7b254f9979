// Package notify has the settings of notifications besides webhooks
// (docs/decisions/0018-email-and-atom.md), e-mail and Atom, and the pages behind the links of mails.
//
// Its templates are among those of package web, in one layout. It may import web/page, the packages that know
// how a way works, and models.
package notify

import (
	"context"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/atom"
	"rollcall/internal/mailbox"
	"rollcall/internal/pathtoken"
	"rollcall/internal/signedlink"
	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/delivery"
	"rollcall/models/store"
	"rollcall/web/page"
)

// Address is that of the page of the settings.
const Address = "/settings/notify"

// Options are what a Site needs. All but Mail and Mailbox are required.
type Options struct {
	Store *store.Store
	// Pages are those of the site, with the templates of package web.
	Pages *page.Pages
	// BaseURL is ROLLCALL_BASE_URL, which ends in /v1.
	BaseURL string
	// Links opens the links of mails.
	Links *signedlink.Links
	// Mail asks addresses to confirm; nil where no mail server is set (ROLLCALL_SMTP_URL).
	Mail Confirmer
	// Mailbox has the mails of a demo, for a page of its own; nil: this is no demo.
	Mailbox *mailbox.Box
	// TestBody returns the bytes of a test delivery with that id, time and payload version.
	TestBody func(id string, at time.Time, version int) ([]byte, error)
}

// Confirmer asks the owner of an address to confirm it (package notifier/mail). account is who asks. The error is a
// sentence for whoever added the address, if it is a models.Error.
type Confirmer interface {
	Confirm(ctx context.Context, h *models.Webhook, account string) error
}

// Site serves the pages. It is safe for concurrent use.
type Site struct{ Options }

// New returns the pages.
func New(o Options) *Site { return &Site{Options: o} }

// Routes adds the pages to a router.
func (s *Site) Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.Pages.Guard, s.Pages.Form)
		r = page.WithHead{Router: r}
		r.Get(Address, s.Pages.SignedIn(func(v *page.Visit) error { return s.show(v, body{}, nil) }))
		r.Post(Address+"/atom", s.Pages.SignedIn(s.subscribe))
		r.Post(Address+"/atom/{id}/end", s.Pages.SignedIn(s.end))
		s.emails(r)
		if s.Mailbox != nil {
			r.Get(MailboxAddress, s.Pages.SignedIn(s.mailbox))
		}
	})
	s.links(r)
}

// body is what the page shows.
type body struct {
	Subscriptions []*account.AtomSubscription
	// Made is the address of a subscription that was just made. It is shown now and never again.
	Made string
	// Label is what was typed, after a mistake.
	Label string
	// Mails reports whether this service sends mails, and Mailbox whether they stay on this machine.
	Mails, Mailbox bool
	Emails         []*models.Webhook
	// Email is what was typed, after a mistake.
	Email emailForm
}

// show shows the page, and problem, why something was not done.
func (s *Site) show(v *page.Visit, b body, problem error) error {
	all, err := s.Store.AtomSubscriptions(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.RevokedAt == nil {
			b.Subscriptions = append(b.Subscriptions, f)
		}
	}
	if b.Emails, err = s.Store.Emails(v.R.Context(), v.Account.ID); err != nil {
		return err
	}
	b.Mails, b.Mailbox = s.Mail != nil, s.Mailbox != nil
	if b.Email.Events == nil {
		b.Email.Events, b.Email.Notices = models.EventKinds(), delivery.MailNotices()
	}
	data := page.View{Title: "E-mail and Atom", Script: "settings", At: Address, Body: b}
	if problem != nil {
		data.Failed(problem)
	}
	return s.Pages.Page(v, "notify", data)
}

// subscribe makes an Atom subscription and shows its address, once.
func (s *Site) subscribe(v *page.Visit) error {
	if err := mayNotify(v); err != nil {
		return err
	}
	label := v.R.PostFormValue("label")
	token, sha := pathtoken.New()
	f, err := s.Store.CreateAtomSubscription(v.R.Context(), v.Account.ID, label, sha)
	switch models.CodeOf(err) {
	case models.CodeInvalidParameter, models.CodeConflict:
		return s.show(v, body{Label: label}, err)
	}
	if err != nil {
		return err
	}
	if err := s.record(v, "Atom subscription made", f.ID); err != nil {
		return err
	}
	return s.show(v, body{Made: pathtoken.Address(s.BaseURL, token, atom.File)}, nil)
}

// end ends a subscription, whatever the plan: what an account had before can always be taken away.
func (s *Site) end(v *page.Visit) error {
	if err := s.Store.RevokeAtomSubscription(v.R.Context(), v.Account.ID, v.Param("id")); err != nil {
		return err
	}
	if err := s.record(v, "Atom subscription ended", v.Param("id")); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, Address+"?done=atom-ended")
}

// mayNotify returns why a visitor's account gets no notifications: alerts belong to one plan (SPEC.md,
// "Limits").
func mayNotify(v *page.Visit) error {
	if refusal := v.Account.Suspended(); refusal != nil {
		return refusal
	}
	if v.Account.Entitled() {
		return nil
	}
	return &models.Error{Code: models.CodeForbidden, Message: "alerts by e-mail and Atom belong to the Enterprise plan"}
}

// record adds a line to the trail of the visitor's account.
func (s *Site) record(v *page.Visit, action, subject string) error {
	return s.Store.RecordEvent(v.R.Context(), models.AccountEvent{
		AccountID: v.Account.ID, Actor: v.User.Email, Action: action, Subject: subject,
	})
}
