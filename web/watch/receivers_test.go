package watch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestReceiversOfAnAlertAreThoseOfItsEvents(t *testing.T) {
	t.Parallel()
	all := models.EventKinds()
	r := receivers{Subscriptions: 1, Works: []*models.Webhook{
		{Events: all}, {Events: []models.EventKind{models.EventRelease}}, {Way: models.ByEmail, Events: all}, {Way: models.ByEmail, Events: all},
	}}
	require.Equal(t, "2 webhooks, 2 e-mail addresses, 1 Atom subscription", r.Of(all).String())
	require.Equal(t, "1 webhook, 2 e-mail addresses, 1 Atom subscription", r.Of([]models.EventKind{models.EventBooking}).String())
	require.Empty(t, receivers{}.Of(all))
	require.True(t, receivers{}.None())
}

func TestAWidenedAlertSaysWhatItCovers(t *testing.T) {
	t.Parallel()
	bibb, c := &models.County{Name: "Bibb"}, cover{12, 159}
	require.Equal(t, "12 of 159 counties covered", c.Says().String())
	require.Equal(t, "Now watching the 12 covered counties. Bibb County is not one of them.", c.widened(bibb, false).String())
	require.Equal(t, "Now watching the 1 covered county.", cover{1, 159}.widened(bibb, true).String())
	require.Empty(t, cover{0, 159}.Says(), "the page warns of it")
}
