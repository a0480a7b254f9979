package web

import (
	"context"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/web/page"
)

// SecretStep is what a SecretKeeper is asked to do.
type SecretStep int

// The steps. A rotation has two phases: from RotateSecret on both secrets sign; FinishRotation
// ends the old one, CancelRotation the new one (DECISIONS, "Webhooks").
const (
	ShowSecret SecretStep = iota
	RotateSecret
	FinishRotation
	CancelRotation
)

// SecretKeeper takes a step with the webhook secret of an account on behalf of actor, and writes
// a line in the account's trail. Errors: CodeNotFound before the first endpoint, CodeConflict
// when a rotation is in another phase.
type SecretKeeper func(ctx context.Context, step SecretStep, accountID, actor string) (*WebhookSecret, error)

// WebhookSecret is the webhook secret of an account in the open.
type WebhookSecret struct {
	// Next is zero outside a rotation.
	Current, Next Revealer
}

// Revealer is a secret that shows its text only when asked to; notifier.Secret implements it.
type Revealer interface {
	// Reveal returns the text, "" for no secret.
	Reveal() string
	// IsZero reports whether there is no secret.
	IsZero() bool
}

// freshSession is how long after signing in nobody is asked for the password again.
const freshSession = 15 * time.Minute

// secret routes the page of the webhook secret. Only owners may see it.
func (s *Site) secret(r chi.Router) {
	r.Get("/settings/webhooks/secret", s.SignedIn(s.secretPage))
	// Where it stood until it moved to the webhooks.
	r.Get("/settings/keys/secret", s.SignedIn(func(v *page.Visit) error { return page.Redirect(v.W, v.R, "/settings/webhooks/secret") }))
	r.Post("/settings/webhooks/secret", s.Owner(s.showSecret))
	r.Post("/settings/webhooks/secret/rotate", s.Owner(s.rotateSecret))
	r.Post("/settings/webhooks/secret/finish", s.Owner(s.endRotation(FinishRotation, "rotated")))
	r.Post("/settings/webhooks/secret/cancel", s.Owner(s.endRotation(CancelRotation, "not-rotated")))
}

// secretBody is what the page of the webhook secret shows.
type secretBody struct {
	Exists        bool
	CreatedAt     time.Time
	RotatingSince *time.Time
	// Only in the answer to the person who asked for it.
	Shown *WebhookSecret
	// The password is asked for.
	Confirm bool
	Now     time.Time
	// Owners may show the secret, by address. They are read for a reader who may not.
	Owners []string
}

// secretPage shows the page without the secret.
func (s *Site) secretPage(v *page.Visit) error { return s.withSecret(v, nil, nil) }

// withSecret shows the page: the secret if shown is not nil, and problem, why it is not.
func (s *Site) withSecret(v *page.Visit, shown *WebhookSecret, problem error) error {
	b := secretBody{Shown: shown, Now: s.Now()}
	var err error
	if b.Confirm, err = s.asks(v); err != nil {
		return err
	}
	w, err := s.Store.WebhookSecret(v.R.Context(), v.Account.ID)
	switch {
	case err == nil:
		b.Exists, b.CreatedAt, b.RotatingSince = true, w.CreatedAt, w.RotatingSince
	case models.CodeOf(err) != models.CodeNotFound:
		return err
	}
	if b.Owners, err = s.owners(v); err != nil {
		return err
	}
	data := page.View{Title: "Webhook secret", Script: "settings", At: "/settings/webhooks/secret", Body: b}
	if problem != nil {
		data.Failed(problem)
	}
	return s.Page(v, "secret", data)
}

// owners returns the addresses of those whom a member may ask; none for an owner.
func (s *Site) owners(v *page.Visit) (all []string, err error) {
	if v.User.Role == models.Owner {
		return nil, nil
	}
	users, err := s.Store.Users(v.R.Context(), v.Account.ID)
	for _, u := range users {
		if u.Role == models.Owner {
			all = append(all, u.Email)
		}
	}
	return all, err
}

// fresh reports whether the visitor signed in a few minutes ago.
func (s *Site) fresh(v *page.Visit) bool { return s.Now().Sub(v.Session.CreatedAt) < freshSession }

// asks reports whether a visitor is to enter the password again. Who came by a link that works any number of times has none: the
// demo makes such links alone, and whoever holds this browser may as well open the link again.
func (s *Site) asks(v *page.Visit) (bool, error) {
	if s.fresh(v) {
		return false, nil
	}
	linked, err := s.Store.HasEnterLink(v.R.Context(), v.User.ID)
	return !linked, err
}

// confirmed returns an error unless it is still the user who sits there: by a fresh session, or by the password once
// more. A browser left open must neither reveal a secret nor make a key. field is what a wrong password is an error of.
func (s *Site) confirmed(v *page.Visit, field string) error {
	if asks, err := s.asks(v); err != nil || !asks {
		return err
	}
	err := s.Sessions.Confirm(v.R.Context(), v.User, v.R.PostFormValue("current"))
	if models.CodeOf(err) == models.CodeInvalidParameter {
		return models.Invalid(field, err.Error())
	}
	return err
}

// sure returns why the secret is not shown or replaced now.
func (s *Site) sure(v *page.Visit) error {
	if err := mayHook(v); err != nil {
		return err
	}
	return s.confirmed(v, "current")
}

// orSecret shows an error that the reader can mend on the page of the secret.
func (s *Site) orSecret(v *page.Visit, err error) error {
	if page.Mendable(err) || models.CodeOf(err) == models.CodeRateLimited || models.CodeOf(err) == models.CodeNotFound {
		return s.withSecret(v, nil, err)
	}
	return err
}

// showSecret shows the secret.
func (s *Site) showSecret(v *page.Visit) error {
	return s.reveal(v, ShowSecret)
}

// rotateSecret begins a rotation and shows both secrets.
func (s *Site) rotateSecret(v *page.Visit) error {
	return s.reveal(v, RotateSecret)
}

// reveal takes a step whose answer shows the secret.
func (s *Site) reveal(v *page.Visit, step SecretStep) error {
	if err := s.sure(v); err != nil {
		return s.orSecret(v, err)
	}
	shown, err := s.Secrets(v.R.Context(), step, v.Account.ID, v.User.Email)
	if err != nil {
		return s.orSecret(v, err)
	}
	return s.withSecret(v, shown, nil)
}

// endRotation takes a step that ends a rotation, and shows no secret.
func (s *Site) endRotation(step SecretStep, said string) func(*page.Visit) error {
	return func(v *page.Visit) error {
		err := s.sure(v)
		if err == nil {
			_, err = s.Secrets(v.R.Context(), step, v.Account.ID, v.User.Email)
		}
		if err != nil {
			return s.orSecret(v, err)
		}
		return page.Redirect(v.W, v.R, "/settings/webhooks/secret?done="+said)
	}
}
