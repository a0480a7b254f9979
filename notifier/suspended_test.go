package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// TestAnAccountWithoutAlertsGetsNoEvents suspends an account, or takes its plan, while a change waits to be matched.
func TestAnAccountWithoutAlertsGetsNoEvents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stop, resume func(*desk) error }{
		"suspended": {
			func(d *desk) error { _, err := d.store.SuspendAccount(t.Context(), d.account, "unpaid"); return err },
			func(d *desk) error { _, err := d.store.ResumeAccount(t.Context(), d.account); return err },
		},
		"on another plan": {
			func(d *desk) error {
				_, err := d.store.UpdateAccount(t.Context(), d.account, models.AccountChange{Plan: new(models.Free)})
				return err
			},
			func(d *desk) error {
				_, err := d.store.UpdateAccount(t.Context(), d.account, models.AccountChange{Plan: new(models.Enterprise)})
				return err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			orla := person{key: "1", name: "MOONSAIL, ORLA", bond: 500_00}
			d.register(t, models.NewWebhook{})
			d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
			d.list(t, other)
			d.load(t, true, other, orla) // detected before, matched after
			require.NoError(t, c.stop(d))
			d.match(t)
			require.Empty(t, d.fired(t))
			orla.bond = 600_00
			d.load(t, true, other, orla) // detected meanwhile, matched when it is back
			require.NoError(t, c.resume(d))
			d.match(t)
			require.Empty(t, d.fired(t), "what was detected meanwhile is not made up for")
			orla.bond = 700_00
			d.list(t, other, orla)
			require.Equal(t, []string{"bond_change 1 Orla Moonsail"}, d.fired(t))

			require.NoError(t, c.stop(d))
			sent := d.deliveries(t)
			require.Len(t, sent, 1)
			require.Equal(t, models.DropPlan, *sent[0].Reason)
			require.NoError(t, c.resume(d))
		})
	}
}
