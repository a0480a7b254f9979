package delivery_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/delivery"
)

// Nobody can fill a mailbox through this service, whatever accounts and deletions they use.
func TestAnAddressIsAskedToConfirmAFewTimesADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	add := func(account, address string) error {
		h, err := b.Store.CreateEmail(b.Ctx, account, &delivery.NewEmail{Address: address, Events: models.EventKinds()})
		if err == nil {
			require.NoError(t, b.Store.DeleteEmail(b.Ctx, account, h.ID))
		}
		return err
	}
	require.NoError(t, add(b.account, "ann@example.org"))
	err := add(b.account, "Ann@EXAMPLE.org")
	requireCode(t, models.CodeConflict, err)
	require.Contains(t, err.Error(), "within the last hour", "though it was deleted, and in another letter case")
	for i := range 2 {
		require.NoError(t, add(b.Account(t, fmt.Sprintf("other%d@example.org", i)), "ann@example.org"))
	}
	err = add(b.Account(t, "third@example.org"), "ann@example.org")
	requireCode(t, models.CodeConflict, err)
	require.Contains(t, err.Error(), "several confirmation mails today", "whoever asks")
	b.Now = b.Now.Add(24 * time.Hour)
	require.NoError(t, add(b.account, "ann@example.org"), "a day later")

	for i := range 49 {
		require.NoError(t, add(b.account, fmt.Sprintf("desk%d@example.org", i)))
	}
	err = add(b.account, "one-more@example.org")
	requireCode(t, models.CodeConflict, err)
	require.Contains(t, err.Error(), "too many confirmation mails today")
}

func TestALinkConfirmsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h, err := b.Store.CreateEmail(b.Ctx, b.account, &delivery.NewEmail{Address: "ann@example.org", Events: models.EventKinds()})
	require.NoError(t, err)
	first := b.Now
	b.Now = b.Now.Add(time.Hour)
	for range 2 {
		h, err = b.Store.ConfirmEmail(b.Ctx, h.ID, h.URL, first)
		require.NoError(t, err, "twice on the button is fine")
		require.Equal(t, models.WebhookActive, h.Status)
	}
	_, err = b.Store.UnsubscribeEmail(b.Ctx, h.ID, h.URL)
	require.NoError(t, err)
	_, err = b.Store.ConfirmEmail(b.Ctx, h.ID, h.URL, first)
	requireCode(t, models.CodeNotFound, err)
	h, err = b.Store.Email(b.Ctx, b.account, h.ID)
	require.NoError(t, err)
	require.Equal(t, delivery.Unsubscribed, *h.DisabledReason, "an old link brings no mails back")

	b.Now = b.Now.Add(time.Hour)
	_, err = b.Store.AskEmail(b.Ctx, b.account, h.ID)
	require.NoError(t, err)
	h, err = b.Store.ConfirmEmail(b.Ctx, h.ID, h.URL, b.Now)
	require.NoError(t, err)
	require.Equal(t, models.WebhookActive, h.Status, "a new one does")
}
