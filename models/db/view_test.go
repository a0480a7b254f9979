package db_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

func TestViewTellsWhatChangedAndWhetherChangesAreHeardOf(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"}, testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN"})
	store, err := store.Open(t.Context(), db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	_, ok := store.View()
	require.False(t, ok, "nobody follows changes")

	_, leave := store.Changes(t.Context(), models.Courts, slog.New(slog.DiscardHandler))
	t.Cleanup(leave)
	await := func(holds func(v models.View, ok bool) bool) (v models.View) {
		require.Eventually(t, func() bool { v, ok = store.View(); return holds(v, ok) }, time.Minute, time.Millisecond)
		return v
	}
	before := await(func(_ models.View, ok bool) bool { return ok })
	db.Add(t, testdb.Link{Booking: "fulton-2026-000001", Offender: "G1"})
	after := await(func(v models.View, _ bool) bool { return v.Links > before.Links })
	require.Equal(t, before.Courts, after.Courts)

	_, err = db.Pool.Exec(t.Context(), `update generations set gen = gen + 1 where family = 'courts'`)
	require.NoError(t, err)
	await(func(v models.View, _ bool) bool { return v.Courts == before.Courts+1 })

	await(func(_ models.View, ok bool) bool {
		_, err := db.Pool.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and query = 'select family, gen from generations'`)
		return err == nil && !ok
	})
	await(func(_ models.View, ok bool) bool { return ok })
	leave()
	_, ok = store.View()
	require.False(t, ok)
}
