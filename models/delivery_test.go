package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestADeliveryToAnAddressIsDroppedAsUnconfirmedUntilItsOwnerConfirms(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	disabled, paused := new(models.DropDisabled), new(models.DropPaused)
	for name, c := range map[string]struct {
		d         models.Delivery
		confirmed *time.Time
		want      bool
	}{
		"nobody has confirmed":            {models.Delivery{Way: models.ByEmail, Reason: disabled, UpdatedAt: at}, nil, true},
		"its owner confirmed later":       {models.Delivery{Way: models.ByEmail, Reason: disabled, UpdatedAt: at}, new(at.Add(time.Minute)), true},
		"its owner confirmed before":      {models.Delivery{Way: models.ByEmail, Reason: disabled, UpdatedAt: at}, new(at.Add(-time.Minute)), false},
		"the address was paused":          {models.Delivery{Way: models.ByEmail, Reason: paused, UpdatedAt: at}, nil, false},
		"it was not dropped":              {models.Delivery{Way: models.ByEmail, UpdatedAt: at}, nil, false},
		"it goes to an endpoint, no mail": {models.Delivery{Way: models.ByWebhook, Reason: disabled, UpdatedAt: at}, nil, false},
	} {
		require.Equal(t, c.want, c.d.Unconfirmed(&models.Webhook{ConfirmedAt: c.confirmed}), name)
	}
}
