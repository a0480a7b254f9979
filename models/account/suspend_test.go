package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnAccountIsSuspendedWithAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.account
	require.True(t, a.Entitled())
	_, err := b.Store.SuspendAccount(b.Ctx, a.ID, " ")
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	got, err := b.Store.SuspendAccount(b.Ctx, a.ID, "unpaid since May")
	require.NoError(t, err)
	require.False(t, got.Entitled())
	got, err = b.Store.Account(b.Ctx, a.ID)
	require.NoError(t, err)
	require.ErrorContains(t, got.Suspended(), "this account is suspended: unpaid since May")
	got, err = b.Store.UpdateAccount(b.Ctx, a.ID, models.AccountChange{Name: new("Other")})
	require.NoError(t, err)
	require.NotNil(t, got.SuspendedAt, "another change leaves it")
	got, err = b.Store.ResumeAccount(b.Ctx, a.ID)
	require.NoError(t, err)
	require.True(t, got.Entitled())
	require.Nil(t, got.Suspended())
	_, err = b.Store.SuspendAccount(b.Ctx, "acct_none", "unpaid")
	require.ErrorIs(t, err, models.ErrNoAccount)
}
