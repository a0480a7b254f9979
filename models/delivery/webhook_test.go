package delivery_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func (b *bundle) register(t *testing.T, account string, n models.NewWebhook) *models.Webhook {
	t.Helper()
	if n.URL == "" {
		n.URL = "https://receiver.example.org/hook"
	}
	if n.Events == nil {
		n.Events = models.EventKinds()
	}
	h, err := b.Store.CreateWebhook(b.Ctx, account, &n, []byte("sealed"))
	require.NoError(t, err)
	return h
}

func TestTheSecretComesWithTheFirstWebhookAndRotatesInTwoPhases(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
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
}

func TestAWebhookIsListedChangedAndDeletedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
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

	require.NoError(t, b.Store.DeleteWebhook(b.Ctx, acct, h.ID))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.DeleteWebhook(b.Ctx, acct, h.ID)))
}
