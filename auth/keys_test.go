package auth_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

func TestLookupGivesTheCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, err := b.guard.Keys.Lookup(t.Context(), b.key)
	require.NoError(t, err)
	require.Equal(t, b.keyID, c.KeyID)
	require.Equal(t, b.account.ID, c.Account.ID)
	require.Equal(t, models.Enterprise, c.Account.Plan)
}

func (b *bundle) requireRefused(key auth.Key) {
	b.t.Helper()
	_, err := b.guard.Keys.Lookup(b.t.Context(), key)
	require.Equal(b.t, models.CodeUnauthorized, models.CodeOf(err), "error: %v", err)
}

func (b *bundle) requireAccepted(key auth.Key) {
	b.t.Helper()
	_, err := b.guard.Keys.Lookup(b.t.Context(), key)
	require.NoError(b.t, err)
}

func TestAKeyThatAnotherProcessRevokedIsRefusedWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.requireAccepted(b.key)
	require.NoError(t, b.open().RevokeKey(t.Context(), b.keyID, b.clock.now()))
	b.clock.advance(time.Second)
	b.requireRefused(b.key)
}

func TestAKeyThatThisProcessRevokedIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, other := b.newKey(b.account)
	b.requireAccepted(b.key)
	b.requireAccepted(other)
	require.NoError(t, b.store.RevokeKey(t.Context(), b.keyID, b.clock.now()))
	b.guard.Keys.Forget(b.keyID)
	b.requireRefused(b.key)
	b.requireAccepted(other)
}

func TestALookupThatBeganBeforeARevocationIsNotJoinedAfterIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// Hold the look-up of the key in the database by a lock on its table.
	lock, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = lock.Exec(t.Context(), `lock table accounts in access exclusive mode`)
	require.NoError(t, err)
	early := make(chan error, 1)
	go func() {
		_, err := b.guard.Keys.Lookup(context.WithoutCancel(t.Context()), b.key)
		early <- err
	}()
	require.Eventually(t, func() bool {
		var waiting int
		err := b.db.Pool.QueryRow(t.Context(), `select count(*) from pg_locks where not granted`).Scan(&waiting)
		return err == nil && waiting == 1
	}, time.Minute, 5*time.Millisecond)

	require.NoError(t, b.store.RevokeKey(t.Context(), b.keyID, b.clock.now())) // it has read the key, not yet the account
	b.guard.Keys.Forget(b.keyID)
	require.NoError(t, lock.Rollback(t.Context()))
	b.requireRefused(b.key)
	require.NoError(t, <-early, "a request from before the revocation may still be answered")
	b.requireRefused(b.key)
}

func TestKeysEndAtTheMomentTheyAreSetTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := auth.NewKey()
	sha, end := key.SHA256(), b.clock.now().Add(400*time.Millisecond)
	require.NoError(t, b.store.CreateKey(t.Context(), &models.APIKey{AccountID: b.account.ID, Prefix: key.Prefix(), SHA256: sha[:], ExpiresAt: &end}))
	require.NoError(t, b.store.RevokeKey(t.Context(), b.keyID, end))
	b.requireAccepted(key)
	b.requireAccepted(b.key)
	b.clock.advance(400 * time.Millisecond) // still known from before
	b.requireRefused(key)
	b.requireRefused(b.key)
}

func TestAChangedAccountIsSeenWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.requireAccepted(b.key)
	plan, limit := models.Free, 7
	_, err := b.open().UpdateAccount(t.Context(), b.account.ID, models.AccountChange{Plan: &plan, RateLimit: &limit})
	require.NoError(t, err)
	b.clock.advance(time.Second)
	c, err := b.guard.Keys.Lookup(t.Context(), b.key)
	require.NoError(t, err)
	require.Equal(t, models.Free, c.Account.Plan)
	require.Equal(t, 7, c.Account.RateLimit)
}

func TestManyRequestsReadAKeyOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.store.Use().Acquired
	b.requireAccepted(b.key)
	once := b.store.Use().Acquired - before
	require.Positive(t, once)

	b.clock.advance(time.Second)
	before = b.store.Use().Acquired
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := b.guard.Keys.Lookup(t.Context(), b.key)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, once, b.store.Use().Acquired-before)
}

func TestAnUnknownKeyIsNotReadForEachRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unknown := auth.NewKey()
	b.requireRefused(unknown)
	before := b.store.Use().Acquired
	for range 100 {
		b.requireRefused(unknown)
	}
	require.Equal(t, before, b.store.Use().Acquired)
}

func TestOneRequestThatEndsDoesNotBreakOffTheLookupOfOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.guard.Keys.Lookup(gone, b.key)
	require.NoError(t, err)
}

func TestADatabaseThatDoesNotAnswerIsNotAnInvalidKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	closed := b.open()
	closed.Close()
	_, err := auth.NewKeyring(closed, b.clock.now).Lookup(t.Context(), b.key)
	require.ErrorContains(t, err, "look up key")
	require.NotEqual(t, models.CodeUnauthorized, models.CodeOf(err))
}
