package watch

import (
	"slices"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// receivers are the webhooks, e-mail addresses and Atom subscriptions by which an account hears of its alerts.
type receivers struct {
	// Works are the webhooks and e-mail addresses that work, and Subscriptions counts the Atom subscriptions that do.
	Works         []*models.Webhook
	Subscriptions int
	// Disabled are those that the service disabled after they had worked.
	Disabled []*models.Webhook
}

// receiversOf reads how the reader's account hears of its alerts.
func (s Site) receiversOf(v *page.Visit) (t receivers, err error) {
	ctx := v.R.Context()
	hooks, err := s.Store.Webhooks(ctx, v.Account.ID, models.Page{Limit: 200})
	if err != nil {
		return t, err
	}
	mails, err := s.Store.Emails(ctx, v.Account.ID)
	if err != nil {
		return t, err
	}
	subscriptions, err := s.Store.AtomSubscriptions(ctx, v.Account.ID)
	if err != nil {
		return t, err
	}
	ends := slices.Concat(hooks.Webhooks, mails)
	for _, f := range subscriptions {
		if f.RevokedAt == nil {
			t.Subscriptions++
		}
	}
	for _, w := range ends {
		if w.Status == models.WebhookActive && !w.Paused {
			t.Works = append(t.Works, w)
		}
		// An address that was never confirmed waits for its owner, and was not disabled.
		if w.Status == models.WebhookDisabled && (w.Way != models.ByEmail || w.ConfirmedAt != nil) {
			t.Disabled = append(t.Disabled, w)
		}
	}
	return t, nil
}

// None reports that none of them works: what happens is on the pages alone.
func (t receivers) None() bool { return len(t.Works)+t.Subscriptions == 0 }

// Of says which of them hear of some kinds of events; nothing where none does.
func (t receivers) Of(kinds []models.EventKind) words.Text {
	hooks, mails := 0, 0
	for _, w := range t.Works {
		hears := slices.ContainsFunc(kinds, func(kind models.EventKind) bool { return slices.Contains(w.Events, kind) })
		switch {
		case !hears:
		case w.Way == models.ByEmail:
			mails++
		default:
			hooks++
		}
	}
	var said []words.Text
	if hooks > 0 {
		said = append(said, words.T("{1 webhook|webhooks}", hooks))
	}
	if mails > 0 {
		said = append(said, words.T("{1 e-mail address|e-mail addresses}", mails))
	}
	if t.Subscriptions > 0 {
		said = append(said, words.T("{1 Atom subscription|Atom subscriptions}", t.Subscriptions))
	}
	return words.Join(", ", said...)
}
