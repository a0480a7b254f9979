package watch

import (
	"slices"

	"rollcall/models"
	"rollcall/models/account"
	"rollcall/web/page"
)

// told is how an account hears of its alerts.
type told struct {
	// Nobody reports that no webhook, e-mail address or feed works: what happens is on the pages alone.
	Nobody bool
	// Ended are the webhooks and addresses that the service disabled after they had worked.
	Ended []*models.Webhook
}

// toldOf reads how the reader's account hears of its alerts.
func (s Site) toldOf(v *page.Visit) (t told, err error) {
	ctx := v.R.Context()
	hooks, err := s.Store.Webhooks(ctx, v.Account.ID, models.Page{Limit: 200})
	if err != nil {
		return t, err
	}
	mails, err := s.Store.Emails(ctx, v.Account.ID)
	if err != nil {
		return t, err
	}
	feeds, err := s.Store.AtomSubscriptions(ctx, v.Account.ID)
	if err != nil {
		return t, err
	}
	ends := append(hooks.Webhooks, mails...)
	works := func(w *models.Webhook) bool { return w.Status == models.WebhookActive && !w.Paused }
	t.Nobody = !slices.ContainsFunc(ends, works) && !slices.ContainsFunc(feeds, func(f *account.AtomSubscription) bool { return f.RevokedAt == nil })
	for _, w := range ends {
		// An address that was never confirmed waits for its owner, and has not ended.
		if w.Status == models.WebhookDisabled && (w.Way != models.ByEmail || w.ConfirmedAt != nil) {
			t.Ended = append(t.Ended, w)
		}
	}
	return t, nil
}
