package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models/store"
)

// Both pools together open no more connections than the setting says: a database may give no more.
func TestTheTwoPoolsShareTheirConnections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for setting, most := range map[int32]int32{0: 10, 1: 2, 2: 2, 9: 9} {
		s, err := store.Open(t.Context(), db.URL, store.Options{MaxConns: setting})
		require.NoError(t, err)
		require.Equal(t, most, s.Use().Max, "MaxConns %d", setting)
		require.NoError(t, s.Ping(t.Context()))
		s.Close()
	}
}
