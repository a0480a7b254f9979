package delivery_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheSecretComesWithTheFirstWebhookAndRotatesInTwoPhases(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.account
	_, err := b.Store.WebhookSecret(b.Ctx, acct)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = b.Store.BeginRotation(b.Ctx, acct, []byte("next"))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))

	h := b.register(t, acct, models.NewWebhook{Notices: []models.Notice{"RETRACTION", "retraction"}})
	require.Equal(t, []any{1, []models.Notice{models.NoticeRetraction}, models.WebhookActive}, []any{h.PayloadVersion, h.Notices, h.Status})
	_, err = b.Store.CreateWebhook(b.Ctx, acct, &models.NewWebhook{URL: "https://two.example.org", Events: models.EventKinds()}, []byte("another"))
	require.NoError(t, err)
	secret, err := b.Store.WebhookSecret(b.Ctx, acct)
	require.NoError(t, err)
	require.Equal(t, []any{"sealed", 0}, []any{string(secret.Current), len(secret.Next)}, "the second registration leaves it alone")

	_, err = b.Store.FinishRotation(b.Ctx, acct)
	require.Equal(t, models.CodeConflict, models.CodeOf(err))
	secret, err = b.Store.BeginRotation(b.Ctx, acct, []byte("next"))
	require.NoError(t, err)
	require.Equal(t, []string{"sealed", "next"}, []string{string(secret.Current), string(secret.Next)})
	_, err = b.Store.BeginRotation(b.Ctx, acct, []byte("third"))
	require.Equal(t, models.CodeConflict, models.CodeOf(err))
	secret, err = b.Store.FinishRotation(b.Ctx, acct)
	require.NoError(t, err)
	require.Equal(t, []any{"next", 0}, []any{string(secret.Current), len(secret.Next)})
	require.Nil(t, secret.RotatingSince)

	_, err = b.Store.CancelRotation(b.Ctx, acct)
	require.Equal(t, models.CodeConflict, models.CodeOf(err))
	secret, err = b.Store.BeginRotation(b.Ctx, acct, []byte("fourth"))
	require.NoError(t, err)
	require.Equal(t, &b.Now, secret.RotatingSince)
	secret, err = b.Store.CancelRotation(b.Ctx, acct)
	require.NoError(t, err)
	stored, err := b.Store.WebhookSecret(b.Ctx, acct)
	require.NoError(t, err)
	require.Equal(t, &models.WebhookSecret{AccountID: acct, Current: []byte("next"), CreatedAt: b.Now}, stored)
	require.Equal(t, stored, secret)
}

func TestAWebhookIsListedChangedAndDeletedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct, other := b.account, b.Account(t, "other@example.org")
	h := b.register(t, acct, models.NewWebhook{Events: []models.EventKind{"release", "booking"}})
	b.register(t, other, models.NewWebhook{})
	page, err := b.Store.Webhooks(b.Ctx, acct, models.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, &models.WebhookPage{Total: 1, Limit: 50, Webhooks: []*models.Webhook{h}}, page)

	changed, err := b.Store.UpdateWebhook(b.Ctx, acct, h.ID, models.WebhookChange{URL: new("https://new.example.org"), PayloadVersion: new(2), Paused: new(true)})
	require.NoError(t, err)
	require.Equal(t, []any{"https://new.example.org", 2, true, h.Events}, []any{changed.URL, changed.PayloadVersion, changed.Paused, changed.Events})
	_, err = b.Store.UpdateWebhook(b.Ctx, acct, h.ID, models.WebhookChange{PayloadVersion: new(3)})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err))
	_, err = b.Store.UpdateWebhook(b.Ctx, other, h.ID, models.WebhookChange{Paused: new(false)})
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	b.Exec(t, `update webhooks set status = 'disabled', disabled_reason = 'gone' where id = $1`, h.ID)
	changed, err = b.Store.EnableWebhook(b.Ctx, acct, h.ID)
	require.NoError(t, err)
	require.Equal(t, models.WebhookActive, changed.Status)
	again, err := b.Store.Webhook(b.Ctx, acct, h.ID)
	require.NoError(t, err)
	require.Equal(t, changed, again)
	_, err = b.Store.UpdateWebhook(b.Ctx, acct, h.ID, models.WebhookChange{Paused: new(false), Seen: new(h.Version())})
	require.ErrorIs(t, err, models.ErrChanged)

	require.NoError(t, b.Store.DeleteWebhook(b.Ctx, acct, h.ID))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.DeleteWebhook(b.Ctx, acct, h.ID)))
	_, err = b.Store.Webhook(b.Ctx, acct, h.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	newer := b.register(t, acct, models.NewWebhook{})
	both, err := b.Store.WebhooksByID(b.Ctx, acct, []string{newer.ID, "wh_none", h.ID})
	require.NoError(t, err)
	require.Equal(t, []string{newer.ID, h.ID}, []string{both[0].ID, both[1].ID}, "what it was sent can still be explained")
	theirs, err := b.Store.WebhooksByID(b.Ctx, other, []string{h.ID})
	require.NoError(t, err)
	require.Empty(t, theirs)
}

func TestAnAccountHasSoManyWebhooksAndNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range models.MaxWebhooks - 2 {
		b.register(t, b.account, models.NewWebhook{})
	}
	const tries = 6
	failed := make([]error, tries)
	var all sync.WaitGroup
	for i := range tries {
		all.Go(func() {
			_, failed[i] = b.Store.CreateWebhook(b.Ctx, b.account, &models.NewWebhook{URL: "https://more.example.org", Events: models.EventKinds()}, []byte("sealed"))
		})
	}
	all.Wait()
	made := 0
	for _, err := range failed {
		if err == nil {
			made++
			continue
		}
		requireCode(t, models.CodeConflict, err)
	}
	require.Equal(t, 2, made)
}
