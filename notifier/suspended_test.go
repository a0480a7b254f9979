package notifier_test

import (
	"testing"
	"time"

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

// TestASuspensionWhileMatchingRunsLeavesNothingToSend lets the two meet in the middle, each of them first. A lock of the test
// keeps the first one inside its transaction until the other waits for it.
func TestASuspensionWhileMatchingRunsLeavesNothingToSend(t *testing.T) {
	t.Parallel()
	suspend := func(d *desk) error { _, err := d.store.SuspendAccount(t.Context(), d.account, "unpaid"); return err }
	match := func(d *desk) error { _, err := d.matcher.Drain(t.Context()); return err }
	for name, c := range map[string]struct {
		holds         string // the row that the first one needs after it has read the account
		first, second func(*desk) error
		fired         []string
	}{
		"what was made for it is dropped":     {`select from webhooks for update`, match, suspend, []string{"bond_change 1 Orla Moonsail", "bond_change 1 Orla Moonsail"}},
		"what is matched after it makes none": {`select from deliveries for update`, suspend, match, []string{"bond_change 1 Orla Moonsail"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			orla := person{key: "1", name: "MOONSAIL, ORLA", bond: 500_00}
			d.register(t, models.NewWebhook{})
			d.list(t, other, orla)
			d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
			orla.bond = 600_00
			d.list(t, other, orla)
			require.Len(t, d.deliveries(t), 1)
			orla.bond = 700_00
			d.load(t, true, other, orla)

			holder, err := d.db.Pool.Begin(t.Context())
			require.NoError(t, err)
			_, err = holder.Exec(t.Context(), c.holds)
			require.NoError(t, err)
			done := make(chan error, 2)
			for waiting, run := range []func(*desk) error{c.first, c.second} {
				go func() { done <- run(d) }()
				require.Eventually(t, func() bool {
					var n int
					err := d.db.Pool.QueryRow(t.Context(), `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&n)
					return err == nil && n == waiting+1
				}, time.Minute, 5*time.Millisecond)
			}
			require.NoError(t, holder.Rollback(t.Context()))
			require.NoError(t, <-done)
			require.NoError(t, <-done)
			require.Equal(t, c.fired, d.fired(t))
			for _, sent := range d.deliveries(t) {
				require.Equal(t, models.DeliveryDropped, sent.State)
				require.Equal(t, models.DropPlan, *sent.Reason)
			}
			d.clock = d.clock.Add(time.Hour)
			claims, _, err := d.store.ClaimDeliveries(t.Context(), models.ClaimQuery{By: "sender", Lease: time.Minute, Most: 9, Each: 9})
			require.NoError(t, err)
			require.Empty(t, claims)
		})
	}
}
