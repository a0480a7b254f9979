package account_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnAccountIsReadAsItWasMade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := &models.Account{Name: " Second Desk ", Email: " Second@Example.org ", Plan: models.Free, RateLimit: 5, FloodLimit: 7}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, a))
	want := &models.Account{ID: a.ID, Name: "Second Desk", Email: "Second@Example.org", Plan: models.Free, RateLimit: 5, FloodLimit: 7, CreatedAt: b.Now}
	require.Equal(t, want, a)

	byID, err := b.Store.Account(b.Ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, want, byID)
	byEmail, err := b.Store.AccountByEmail(b.Ctx, "second@example.ORG")
	require.NoError(t, err)
	require.Equal(t, want, byEmail)

	b.Now = b.Now.Add(time.Minute)
	third := b.open(t, "third@example.org")
	all, err := b.Store.Accounts(b.Ctx)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, third.ID, all[2].ID, "oldest first")
}

func TestAnUnknownAccountIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Store.Account(b.Ctx, "acct_none")
	require.ErrorIs(t, err, models.ErrNoAccount)
	_, err = b.Store.AccountByEmail(b.Ctx, "nobody@example.org")
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.UpdateAccount(b.Ctx, "acct_none", models.AccountChange{Name: new("New")})
	require.ErrorIs(t, err, models.ErrNoAccount)
}

func TestAnAddressBelongsToOneAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := b.Store.CreateAccount(b.Ctx, &models.Account{Name: "Twin", Email: "DESK@example.org", Plan: models.Free})
	requireCode(t, models.CodeConflict, err)

	other := b.open(t, "other@example.org")
	_, err = b.Store.UpdateAccount(b.Ctx, other.ID, models.AccountChange{Email: new("Desk@Example.org"), Name: new("Twin")})
	requireCode(t, models.CodeConflict, err)
	same, err := b.Store.Account(b.Ctx, other.ID)
	require.NoError(t, err)
	require.Equal(t, other, same, "nothing was changed")
}

func TestAChangeIsCheckedAndMayBeZero(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Store.UpdateAccount(b.Ctx, b.account.ID, models.AccountChange{FloodLimit: new(-1)})
	requireCode(t, models.CodeInvalidParameter, err)

	got, err := b.Store.UpdateAccount(b.Ctx, b.account.ID, models.AccountChange{RateLimit: new(0), Plan: new(models.Pro)})
	require.NoError(t, err)
	stored, err := b.Store.Account(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, got, stored)
	require.Zero(t, stored.RateLimit)
	require.Equal(t, models.Pro, stored.Plan)
	require.Equal(t, "Desk", stored.Name)
}

func TestChangesOfDifferentFieldsAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	changes := []models.AccountChange{
		{Name: new("New Name")}, {Email: new("new@example.org")}, {Plan: new(models.Pro)}, {RateLimit: new(7)}, {FloodLimit: new(9)},
	}
	// All of them wait for the row, so that each would have read it before any other was written.
	lock := begin(t, b.Pool)
	_, err := lock.Exec(b.Ctx, `select from accounts where id = $1 for update`, b.account.ID)
	require.NoError(t, err)
	var all sync.WaitGroup
	failed := make([]error, len(changes))
	for i, c := range changes {
		all.Go(func() { _, failed[i] = b.Store.UpdateAccount(b.Ctx, b.account.ID, c) })
	}
	waiting(t, b.Pool, len(changes))
	require.NoError(t, lock.Rollback(b.Ctx))
	all.Wait()
	for _, err := range failed {
		require.NoError(t, err)
	}

	got, err := b.Store.Account(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, &models.Account{
		ID: b.account.ID, Name: "New Name", Email: "new@example.org", Plan: models.Pro, RateLimit: 7, FloodLimit: 9, CreatedAt: b.Now,
	}, got)
}
