package alert_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/store"
)

func TestAWatcherIsStoredWithItsDefaultsAndListedNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
	first := b.watch(t, acct, models.NewWatcher{Name: "  Wren Moonsail "})
	require.Equal(t, []any{"Wren Moonsail", models.EventKinds(), models.LevelNormal, false, (*models.County)(nil)}, []any{first.Name, first.Events, first.Level, first.Paused, first.County})
	second := b.watch(t, acct, models.NewWatcher{
		Name: "Orla Quillfeather", County: new("ben-hill"), Events: &[]models.EventKind{"RELEASE", "booking", "release"}, Level: new(models.LevelWide),
		Dob: modelstest.Day(t, "1990-02-03"), Label: new("desk 4"), Note: new("ask first"), Paused: true,
	})
	require.Equal(t, []models.EventKind{models.EventBooking, models.EventRelease}, second.Events)
	require.Greater(t, second.Rev, first.Rev)
	b.watch(t, other, models.NewWatcher{Name: "Tolliver Brackenridge"})

	page, err := b.Store.Watchers(b.Ctx, acct, models.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, 2, page.Total)
	require.ElementsMatch(t, []*models.Watcher{first, second}, page.Watchers)
	page, err = b.Store.Watchers(b.Ctx, acct, models.Page{Limit: 50, Offset: 7})
	require.NoError(t, err)
	require.Equal(t, []any{2, 0}, []any{page.Total, len(page.Watchers)}, "past the end the total stays")

	got, err := b.Store.Watcher(b.Ctx, acct, second.ID)
	require.NoError(t, err)
	require.Equal(t, second, got)
	_, err = b.Store.Watcher(b.Ctx, other, second.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "another account's is not found")
}

func TestAWatcherIsChangedAndDeletedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	w := b.watch(t, acct, models.NewWatcher{Name: "Wren Moonsail", Label: new("old")})
	paused, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Paused: new(true), Label: new(""), Level: new(models.LevelStrict)})
	require.NoError(t, err)
	require.Equal(t, []any{true, (*string)(nil), models.LevelStrict, w.SinceRev}, []any{paused.Paused, paused.Label, paused.Level, paused.SinceRev})
	again, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Paused: new(false)})
	require.NoError(t, err)
	require.Equal(t, again.Rev, again.SinceRev, "after a pause it watches anew")
	_, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Events: &[]models.EventKind{}})
	require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err))

	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, acct, w.ID))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.DeleteWatcher(b.Ctx, acct, w.ID)))
	page, err := b.Store.Watchers(b.Ctx, acct, models.Page{Limit: 50})
	require.NoError(t, err)
	require.Zero(t, page.Total)
	kept, err := b.Store.WatchersByID(b.Ctx, acct, []string{"alrt_x", w.ID})
	require.NoError(t, err)
	require.Len(t, kept, 1, "what it caused can still be explained")
}

func TestWatchersThatCanNotBeTakenSayWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	long := string(make([]rune, 201))
	for name, c := range map[string]struct {
		watcher models.NewWatcher
		field   string
	}{
		"one letter":                 {models.NewWatcher{Name: "x"}, "name"},
		"no letter":                  {models.NewWatcher{Name: "12 34"}, "name"},
		"too long":                   {models.NewWatcher{Name: "a" + long}, "name"},
		"no events":                  {models.NewWatcher{Name: "Wren Moonsail", Events: &[]models.EventKind{}}, "events"},
		"an unknown event":           {models.NewWatcher{Name: "Wren Moonsail", Events: &[]models.EventKind{"escape"}}, "events"},
		"an unknown county":          {models.NewWatcher{Name: "Wren Moonsail", County: new("atlantis")}, "county"},
		"an unknown level":           {models.NewWatcher{Name: "Wren Moonsail", Level: new(models.MatchLevel("loose"))}, "level"},
		"born in the future":         {models.NewWatcher{Name: "Wren Moonsail", Dob: modelstest.Day(t, "2040-01-01")}, "dob"},
		"two different years":        {models.NewWatcher{Name: "Wren Moonsail", Dob: modelstest.Day(t, "1990-01-01"), BirthYear: new(1991)}, "birth_year"},
		"a year of long ago":         {models.NewWatcher{Name: "Wren Moonsail", BirthYear: new(1066)}, "birth_year"},
		"an age of none":             {models.NewWatcher{Name: "Wren Moonsail", Age: new(0)}, "age"},
		"an age of nobody":           {models.NewWatcher{Name: "Wren Moonsail", Age: new(200)}, "age"},
		"an age of tomorrow":         {models.NewWatcher{Name: "Wren Moonsail", Age: new(34), AgeOn: modelstest.Day(t, "2040-01-01")}, "age_on"},
		"an age of long ago":         {models.NewWatcher{Name: "Wren Moonsail", Age: new(90), AgeOn: modelstest.Day(t, "1950-01-01")}, "age_on"},
		"a day without an age":       {models.NewWatcher{Name: "Wren Moonsail", AgeOn: modelstest.Day(t, "2026-01-01")}, "age_on"},
		"an age before the birthday": {models.NewWatcher{Name: "Wren Moonsail", Age: new(36), AgeOn: modelstest.Day(t, "2026-02-02"), Dob: modelstest.Day(t, "1990-02-03")}, "age"},
		"an age of another year":     {models.NewWatcher{Name: "Wren Moonsail", Age: new(36), AgeOn: modelstest.Day(t, "2026-02-02"), BirthYear: new(1988)}, "age"},
		"particles":                  {models.NewWatcher{Name: "de la", County: new("fulton")}, "name"},
		"a lost character":           {models.NewWatcher{Name: "Wren Moon\ufffdail"}, "name"},
		"everybody":                  {models.NewWatcher{Name: "* *"}, "name"},
		"a last name":                {models.NewWatcher{Name: "Moonsail"}, "name"},
		"a last name, and a title":   {models.NewWatcher{Name: "Dr. Moonsail Jr"}, "name"},
		"a label that is a book":     {models.NewWatcher{Name: "Wren Moonsail", Label: &long}, "label"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.Store.CreateWatcher(b.Ctx, acct, &c.watcher)
			var known *models.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, []any{models.CodeInvalidRequest, c.field}, []any{known.Code, known.Field})
		})
	}
}

func TestAnAccountHasSoManyWatchersAndNoMore(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	store, err := store.Open(t.Context(), db.URL, store.Options{MaxWatchers: 3, Now: func() time.Time { return time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC) }})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	b := &bundle{&modelstest.Bundle{Ctx: t.Context(), Store: store, Pool: db.Pool}}
	acct := b.Account(t, "desk@example.org")
	results := make(chan error)
	for range 8 {
		go func() {
			_, err := store.CreateWatcher(b.Ctx, acct, &models.NewWatcher{Name: "Wren Moonsail"})
			results <- err
		}()
	}
	made := 0
	for range 8 {
		if err := <-results; err == nil {
			made++
		} else {
			require.Equal(t, models.CodeConflict, models.CodeOf(err))
		}
	}
	require.Equal(t, 3, made)
	page, err := store.Watchers(b.Ctx, acct, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, 3, page.Total)
	require.NoError(t, store.DeleteWatcher(b.Ctx, acct, page.Watchers[0].ID))
	b.watch(t, acct, models.NewWatcher{Name: "Wren Moonsail"})
}

func TestAChangeOfAnOldVersionIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	w := b.watch(t, acct, models.NewWatcher{Name: "Wren Moonsail"})
	seen := w.Version()
	w, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Paused: new(true)})
	require.NoError(t, err)
	require.Equal(t, seen, w.Version(), "a pause undoes no edit")
	w, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Note: new("first"), Seen: &seen})
	require.NoError(t, err)
	require.NotEqual(t, seen, w.Version())
	_, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Note: new("second"), Seen: &seen})
	require.ErrorIs(t, err, models.ErrChanged)
	w, err = b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Note: new("second"), Seen: new(w.Version())})
	require.NoError(t, err)
	require.Equal(t, "second", *w.Note)
}

func TestTheStandingIndexFollowsWatchers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	ctx, stop := context.WithCancel(b.Ctx)
	heard, ended := make(chan struct{}, 100), make(chan error, 1)
	go func() { ended <- b.Store.ListenWatchers(ctx, func() { heard <- struct{}{} }) }()
	soon(t, heard) // connected
	first := b.watch(t, acct, models.NewWatcher{County: new("fulton"), Dob: modelstest.Day(t, "1990-02-03")})
	soon(t, heard)
	stop()
	require.Error(t, soon(t, ended))
	paused := b.watch(t, acct, models.NewWatcher{Paused: true, BirthYear: new(1990)})

	all, err := b.Store.WatchersSince(b.Ctx, 0, 10, false)
	require.NoError(t, err)
	require.Equal(t, []models.StandingWatcher{
		{ID: first.ID, Name: first.Name, CountyID: &first.County.ID, Level: models.LevelNormal, Dob: first.Dob, Active: true, Rev: first.Rev},
		{ID: paused.ID, Name: paused.Name, Level: models.LevelNormal, BirthYear: new(int16(1990)), Rev: paused.Rev},
	}, all)
	active, err := b.Store.WatchersSince(b.Ctx, 0, 10, true)
	require.NoError(t, err)
	require.Equal(t, all[:1], active)
	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, acct, first.ID))
	later, err := b.Store.WatchersSince(b.Ctx, paused.Rev, 10, false)
	require.NoError(t, err)
	require.Len(t, later, 1)
	require.Equal(t, []any{first.ID, false}, []any{later[0].ID, later[0].Active}, "a deletion is a revision too")
}

func TestADraftIsWhatWouldBeStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	draft, err := b.Store.DraftWatcher(&models.NewWatcher{Name: " Wren  Moonsail", Level: new(models.LevelWide)})
	require.NoError(t, err)
	page, err := b.Store.Watchers(b.Ctx, acct, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, &models.WatcherPage{Limit: 1, Watchers: []*models.Watcher{}}, page)
	w := b.watch(t, acct, models.NewWatcher{Name: " Wren  Moonsail", Level: new(models.LevelWide)})
	draft.ID, draft.AccountID, draft.CreatedAt, draft.Rev, draft.SinceRev = w.ID, w.AccountID, w.CreatedAt, w.Rev, w.SinceRev
	require.Equal(t, w, draft)
}
