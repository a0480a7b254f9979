package watch

import (
	"slices"

	"rollcall/models"
	"rollcall/models/account"
	"rollcall/web/page"
)

// receivers are the webhooks, e-mail addresses and Atom subscriptions by which an account hears of its alerts.
type receivers struct {
	// None reports that none of them works: what happens is on the pages alone.
	None bool
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
	works := func(w *models.Webhook) bool { return w.Status == models.WebhookActive && !w.Paused }
	t.None = !slices.ContainsFunc(ends, works) && !slices.ContainsFunc(subscriptions, func(f *account.AtomSubscription) bool { return f.RevokedAt == nil })
	for _, w := range ends {
		// An address that was never confirmed waits for its owner, and was not disabled.
		if w.Status == models.WebhookDisabled && (w.Way != models.ByEmail || w.ConfirmedAt != nil) {
			t.Disabled = append(t.Disabled, w)
		}
	}
	return t, nil
}
