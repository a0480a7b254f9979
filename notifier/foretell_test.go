package notifier_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/notifier"
)

// foretell tries a snapshot out and returns what it would send.
func (d *desk) foretell(t *testing.T, people ...person) notifier.Forecast {
	t.Helper()
	run, err := d.store.BeginRun(t.Context(), d.source, d.clock)
	require.NoError(t, err)
	rows := iter.Seq2[*snapshot.RosterRow, error](func(yield func(*snapshot.RosterRow, error) bool) {
		for _, p := range people {
			if !yield(p.row(t, d.clock), nil) {
				return
			}
		}
	})
	var news snapshot.News
	_, _, err = d.store.ReconcileRoster(t.Context(), snapshot.Reconciler{
		Header:   snapshot.Header{SourceID: d.source, RunID: run, At: d.clock, Now: d.clock, Tracks: true, Releases: true, Confirmations: 1},
		Prove:    func(int) snapshot.Completeness { return snapshot.Completeness{Complete: true} },
		Exempt:   func() snapshot.Exempt { return snapshot.Exempt{} },
		Rehearse: func(h snapshot.Rehearsal) { news = h.News },
	}, rows)
	require.NoError(t, err)
	f, err := d.matcher.Foretell(t.Context(), news)
	require.NoError(t, err)
	return f
}

// What a snapshot would send is what it sends when it is applied: by the same matcher, and nothing of the trial is kept.
func TestASnapshotThatIsTriedOutFiresNothingAndSaysWhatItWould(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other, person{key: "1"})
	d.watch(t, models.NewWatcher{})
	d.watch(t, models.NewWatcher{Label: new("again")})
	d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	paused := d.watch(t, models.NewWatcher{Name: "Orla Moonsail", Label: new("paused")})
	_, err := d.store.UpdateWatcher(t.Context(), d.account, paused.ID, models.WatcherChange{Paused: new(true)})
	require.NoError(t, err)
	next := []person{other, {key: "2", name: "MOONSAIL, ORLA"}}

	f := d.foretell(t, next...)
	require.Equal(t, notifier.Forecast{Alerts: 3, Events: map[models.EventKind]int{models.EventRelease: 2, models.EventBooking: 1}}, f)
	d.match(t)
	require.Empty(t, d.fired(t), "nothing of it is kept")
	require.Equal(t, f, d.foretell(t, next...), "however often it is tried out")
	d.list(t, next...)
	require.Equal(t, "booking release release", d.kinds(t), "as it was foretold")

	t.Log("who comes back takes a release back")
	f = d.foretell(t, append(next, person{key: "1"})...)
	require.Equal(t, map[models.EventKind]int{models.EventRetraction: 2}, f.Events)
	require.Equal(t, notifier.Forecast{Events: map[models.EventKind]int{}}, d.foretell(t, next...), "what changes nothing fires nothing")
}
