package alert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestAnAgeIsOfTheDayOnWhichItWasStated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	today := models.DateOf(b.Now.In(models.Georgia))
	w := b.watch(t, acct, models.NewWatcher{Age: new(34)})
	require.Equal(t, []any{34, today}, []any{*w.Age, *w.AgeOn})
	require.Equal(t, match.BornByAge(34, match.Birth{Year: int16(today.Year)}), w.Born())
	w = b.watch(t, acct, models.NewWatcher{Age: new(36), AgeOn: modelstest.Day(t, "2026-02-03"), Dob: modelstest.Day(t, "1990-02-03"), BirthYear: new(1990)})
	require.Equal(t, match.ParseBirth("1990-02-03"), w.Born(), "the date says most")
	w, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Dob: models.Fact[models.Date]{Given: true}})
	require.NoError(t, err)
	require.Equal(t, match.ParseBirth("1990"), w.Born(), "then the year")
	w, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{BirthYear: models.Fact[int]{Given: true}})
	require.NoError(t, err)
	require.Equal(t, match.BornByAge(36, match.Birth{Year: 2026}), w.Born())
	w, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Age: models.Fact[int]{Given: true, Value: new(37)}})
	require.NoError(t, err)
	require.Equal(t, []any{37, today}, []any{*w.Age, *w.AgeOn}, "it was stated today")
	w, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Age: models.Fact[int]{Given: true}})
	require.NoError(t, err)
	require.Equal(t, []any{(*int)(nil), (*models.Date)(nil)}, []any{w.Age, w.AgeOn}, "the day goes with it")
}

func TestALastNameIsWatchedWithWhatNarrowsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	for _, n := range []models.NewWatcher{{County: new("fulton")}, {Dob: modelstest.Day(t, "1990-02-03")}, {BirthYear: new(1990)}, {Age: new(36)}} {
		n.Name = "Moonsail"
		b.watch(t, acct, n)
	}
}

func TestWhomAWatcherIsForCanBeChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	w := b.watch(t, acct, models.NewWatcher{Name: "Moonsail", County: new("fulton"), Note: new("ask first")})
	change := func(c models.WatcherChange) (*models.Watcher, error) {
		return b.Store.UpdateWatcher(b.Ctx, acct, w.ID, c)
	}
	made, seen := w.SinceRev, w.Version()

	w, err := change(models.WatcherChange{Name: new(" Moonsail "), County: models.Fact[string]{Given: true, Value: new("fulton")}, Level: new(models.LevelWide)})
	require.NoError(t, err)
	require.Equal(t, made, w.SinceRev, "the same person")
	_, err = change(models.WatcherChange{County: models.Fact[string]{Given: true}})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), "a last name alone fits everybody")

	w, err = change(models.WatcherChange{County: models.Fact[string]{Given: true}, BirthYear: models.Fact[int]{Given: true, Value: new(1990)}})
	require.NoError(t, err)
	require.Equal(t, []any{"Moonsail", (*models.County)(nil), 1990, w.Rev}, []any{w.Name, w.County, *w.BirthYear, w.SinceRev})
	_, err = change(models.WatcherChange{Name: new("Orla Quillfeather"), Seen: &seen})
	require.ErrorIs(t, err, models.ErrChanged)
	w, err = change(models.WatcherChange{Name: new("Orla Quillfeather"), Seen: new(w.Version())})
	require.NoError(t, err)
	require.Equal(t, []any{"Orla Quillfeather", "ask first", w.Rev}, []any{w.Name, *w.Note, w.SinceRev})
	kept, err := b.Store.Watcher(b.Ctx, acct, w.ID)
	require.NoError(t, err)
	require.Equal(t, w, kept)
	for _, name := range []string{"", "J", "de la", "Ho\x00me"} {
		_, err = change(models.WatcherChange{Name: &name})
		require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), name)
	}
}

func TestAWatcherFromBeforeARuleCanStillBeChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	w := b.watch(t, acct, models.NewWatcher{})
	b.Exec(t, `update watchers set name = 'MOONSAIL' where id = $1`, w.ID)
	w, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Name: new("MOONSAIL"), Note: new("old")})
	require.NoError(t, err)
	require.Equal(t, "old", *w.Note)
	_, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Name: new("MOONSALE")})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err))
}
