package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

func TestACursorIsTakenUntilItsSecretIsTakenAway(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	open := func(o store.Options) *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), db.URL, o)
		require.NoError(t, err)
		t.Cleanup(s.Close)
		return s
	}
	cursor, err := open(store.Options{Secret: []byte("old")}).SealCursor("roster", 7)
	require.NoError(t, err)
	both := open(store.Options{Secret: []byte("new"), OldSecrets: [][]byte{[]byte("old")}})
	var at int
	require.NoError(t, both.OpenCursor("roster", cursor, &at))
	require.Equal(t, 7, at)
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(both.OpenCursor("courts", cursor, &at)))
	alone := open(store.Options{Secret: []byte("new")})
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(alone.OpenCursor("roster", cursor, &at)))
	fresh, err := both.SealCursor("roster", 8)
	require.NoError(t, err)
	require.NoError(t, alone.OpenCursor("roster", fresh, &at))
	require.Equal(t, 8, at)
}
