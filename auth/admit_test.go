package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

func TestAuthorizeTellsTheCallerAndCountsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 101 {
		ctx, err := b.guard.Authorize(t.Context(), b.bearer())
		require.NoError(t, err)
		c, ok := auth.FromContext(ctx)
		require.True(t, ok)
		require.Equal(t, b.account.ID, c.Account.ID)
	}
	_, free := b.newKey(b.newAccount("free@example.org", models.Free, 100))
	for authorization, want := range map[string]models.Code{
		"": models.CodeUnauthorized, b.key.Reveal(): models.CodeUnauthorized, "Bearer " + auth.NewKey().Reveal(): models.CodeUnauthorized,
		"Bearer " + free.Reveal(): models.CodeForbidden,
	} {
		_, err := b.guard.Authorize(t.Context(), authorization)
		require.Equal(t, want, models.CodeOf(err))
		require.Equal(t, want, models.CodeOf(b.guard.Admit(t.Context(), authorization)))
	}
}

func TestAdmitSharesTheLimitWithRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 100 {
		if i%2 == 0 {
			require.NoError(t, b.guard.Admit(t.Context(), b.bearer()))
		} else {
			require.Equal(t, 204, b.get(b.bearer()).StatusCode)
		}
	}
	require.Equal(t, models.CodeRateLimited, models.CodeOf(b.guard.Admit(t.Context(), b.bearer())))
	require.Equal(t, 429, b.get(b.bearer()).StatusCode)
}

func TestAdmitRefusesAKeyOnceItIsRevoked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.guard.Admit(t.Context(), b.bearer()))
	require.NoError(t, b.store.RevokeKey(t.Context(), b.keyID, b.clock.now()))
	b.guard.Keys.Forget(b.keyID)
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(b.guard.Admit(t.Context(), b.bearer())))
}

func TestStandingEndsWithTheKeyAndThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(b.guard.Standing(t.Context())))
	ctx, err := b.guard.Authorize(t.Context(), b.bearer())
	require.NoError(t, err)
	for range 101 {
		require.NoError(t, b.guard.Standing(ctx), "it counts nothing")
	}
	free := models.Free
	_, err = b.store.UpdateAccount(t.Context(), b.account.ID, models.AccountChange{Plan: &free})
	require.NoError(t, err)
	b.guard.Keys.Forget(b.keyID)
	require.Equal(t, models.CodeForbidden, models.CodeOf(b.guard.Standing(ctx)))
	require.NoError(t, b.store.RevokeKey(t.Context(), b.keyID, b.clock.now()))
	b.guard.Keys.Forget(b.keyID)
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(b.guard.Standing(ctx)))
}
