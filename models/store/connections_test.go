package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// The two pools of records together open no more connections than the setting says: a database may give no more. On top come
// four, by which callers come in while lists hold all others.
func TestTheTwoPoolsShareTheirConnections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for setting, most := range map[int32]int32{0: 10, 1: 2, 2: 2, 9: 9} {
		s, err := store.Open(t.Context(), db.URL, store.Options{MaxConns: setting})
		require.NoError(t, err)
		require.Equal(t, most+4, s.Use().Max, "MaxConns %d", setting)
		require.NoError(t, s.Ping(t.Context()))
		s.Close()
	}
}

// Those who hold every connection for lists keep nobody from coming in.
func TestKeysAndSessionsAreLookedUpWhileListsHoldAllConnections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, err := store.Open(t.Context(), db.URL, store.Options{MaxConns: 2})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	held, err := s.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer held.Release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sha := make([]byte, 32)
	_, _, err = s.KeyByHash(ctx, sha)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), err)
	_, _, _, err = s.SessionByHash(ctx, sha)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), err)
	_, err = s.SignInLink(ctx, models.Invitation, sha)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), err)
	_, _, err = s.CaseOfSubscription(ctx, sha)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), err)
	_, _, err = s.AtomSubscriptionOfToken(ctx, sha)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), err)
}
