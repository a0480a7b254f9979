package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// A single word is a last name: with a county, a birth date, a birth year or an age it works at every level (DECISIONS, "Alerts").
func TestALastNameFiresAtEveryLevelWhereSomethingNarrowsIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	dob, err := models.ParseDate("1990-05-17")
	require.NoError(t, err)
	wanted := map[string]bool{}
	for _, level := range []models.MatchLevel{models.LevelStrict, models.LevelNormal, models.LevelWide} {
		for _, n := range []models.NewWatcher{{County: new("ben-hill")}, {Dob: &dob}, {BirthYear: new(1990)}, {Age: new(35)}} {
			n.Name, n.Level = "WASHINGTON", &level
			wanted[d.watch(t, n).ID] = true
		}
		for _, n := range []models.NewWatcher{{County: new("fulton")}, {BirthYear: new(1970)}, {Age: new(20)}, {County: new("ben-hill"), BirthYear: new(1970)}} {
			n.Name, n.Level = "WASHINGTON", &level
			d.watch(t, n)
		}
	}
	before := d.watch(t, models.NewWatcher{}) // stored when a last name alone was taken
	_, err = d.db.Pool.Exec(t.Context(), `update watchers set name = 'WASHINGTON' where id = $1`, before.ID)
	require.NoError(t, err)
	d.list(t, other, person{key: "1", name: "WASHINGTON, DEMETRIUS", dob: "1990-05-17"})
	found := map[string]bool{}
	rows, err := d.db.Pool.Query(t.Context(), `select watcher_id from events`)
	require.NoError(t, err)
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		found[id] = true
	}
	require.NoError(t, rows.Err())
	require.Equal(t, wanted, found)
}

func TestAWatcherThatIsChangedSeesWhatIsDetectedFromThenOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	orla, wren := person{key: "1", name: "MOONSAIL, ORLA", bond: 500_00}, person{key: "2", name: "QUILLFEATHER, WREN", bond: 500_00}
	d.list(t, other)
	w := d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	d.list(t, other, orla)
	require.Equal(t, []string{"booking 1 Orla Moonsail"}, d.fired(t))

	d.load(t, true, other, orla, wren) // detected before the change, matched after it
	d.change(t, w.ID, models.WatcherChange{Name: new("Wren Quillfeather")})
	d.match(t)
	require.Len(t, d.fired(t), 1, "what happened before the change is not made up for")
	orla.bond, wren.bond = 600_00, 600_00
	d.list(t, other, orla, wren)
	require.Equal(t, []string{"booking 1 Wren Quillfeather", "bond_change 2 Wren Quillfeather"}, d.fired(t))

	d.change(t, w.ID, models.WatcherChange{County: models.Fact[string]{Given: true, Value: new("fulton")}})
	wren.bond = 700_00
	d.list(t, other, orla, wren)
	require.Len(t, d.fired(t), 2, "of another county")
	d.change(t, w.ID, models.WatcherChange{County: models.Fact[string]{Given: true}, Age: models.Fact[int]{Given: true, Value: new(20)}})
	wren.dob = "1990-05-17"
	d.list(t, other, orla, wren)
	wren.bond = 800_00
	d.list(t, other, orla, wren)
	require.Len(t, d.fired(t), 2, "of another age")
	d.change(t, w.ID, models.WatcherChange{Age: models.Fact[int]{Given: true, Value: new(35)}})
	wren.bond = 900_00
	d.list(t, other, orla, wren)
	require.Len(t, d.fired(t), 3)
}

func TestADismissedPersonStaysDismissedWhenTheWatcherIsChanged(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", dob: "1990-05-17", bond: 500_00})
	require.Len(t, d.fired(t), 1)
	d.dismiss(t, w.ID)
	d.change(t, w.ID, models.WatcherChange{Name: new("Quillfeather"), BirthYear: models.Fact[int]{Given: true, Value: new(1990)}})
	d.list(t, other, person{key: "1", dob: "1990-05-17", bond: 600_00})
	require.Len(t, d.fired(t), 1)
}

func (d *desk) change(tb testing.TB, watcher string, c models.WatcherChange) {
	tb.Helper()
	_, err := d.store.UpdateWatcher(tb.Context(), d.account, watcher, c)
	require.NoError(tb, err)
}
