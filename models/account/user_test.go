package account_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestUsersAreFoundWithinTheirAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.user(t, "Ann@example.org", models.Owner)
	b.Now = b.Now.Add(time.Minute)
	bob := b.user(t, "bob@example.org", models.Member)

	got, err := b.Store.UserByEmail(b.Ctx, " ann@EXAMPLE.org ")
	require.NoError(t, err)
	require.Equal(t, ann, got)
	got, err = b.Store.User(b.Ctx, b.account.ID, bob.ID)
	require.NoError(t, err)
	require.Equal(t, bob, got)
	all, err := b.Store.Users(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, []*models.User{ann, bob}, all)

	other := b.open(t, "other@example.org")
	_, err = b.Store.User(b.Ctx, other.ID, bob.ID)
	requireCode(t, models.CodeNotFound, err)
	none, err := b.Store.Users(b.Ctx, other.ID)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestANewPasswordEndsSessionsAndLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	b.signIn(t, u, "browser")
	b.link(t, models.SignInLink{Kind: models.Reset, UserID: &u.ID, Email: u.Email})
	require.NoError(t, b.Store.SetPassword(b.Ctx, u, "new hash"))

	require.Equal(t, "new hash", u.Password)
	require.False(t, b.signedIn(t, "browser"))
	_, err := b.Store.SignInLink(b.Ctx, models.Reset, sha("reset of ann@example.org"))
	requireCode(t, models.CodeNotFound, err)
	require.Contains(t, b.trail(t), "ann@example.org: password changed ")
}

func TestARenewedHashKeepsSessionsAndYieldsToANewPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	stale := *u
	b.signIn(t, u, "browser")
	require.NoError(t, b.Store.RenewPasswordHash(b.Ctx, u, "stronger hash"))
	require.Equal(t, "stronger hash", u.Password)
	require.True(t, b.signedIn(t, "browser"))

	require.NoError(t, b.Store.RenewPasswordHash(b.Ctx, &stale, "of the old password"))
	require.Equal(t, "hash of ann@example.org", stale.Password, "it was not stored")
	got, err := b.Store.User(b.Ctx, b.account.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, "stronger hash", got.Password)
}

func TestRolesChangeAndOneOwnerStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.user(t, "ann@example.org", models.Owner), b.user(t, "bob@example.org", models.Member)
	requireCode(t, models.CodeConflict, b.Store.SetRole(b.Ctx, ann, ann.ID, models.Owner, models.Member))
	requireCode(t, models.CodeNotFound, b.Store.SetRole(b.Ctx, ann, "user_none", models.Owner, models.Member))
	require.ErrorIs(t, b.Store.SetRole(b.Ctx, ann, bob.ID, models.Owner, models.Member), models.ErrChanged)
	require.NoError(t, b.Store.SetRole(b.Ctx, ann, bob.ID, models.Member, models.Owner))
	b.link(t, models.SignInLink{Kind: models.Invitation, Email: "eve@example.org", CreatedBy: ann.Email})
	require.NoError(t, b.Store.SetRole(b.Ctx, bob, ann.ID, models.Owner, models.Member))

	links, err := b.Store.OpenLinks(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Empty(t, links, "who is no owner cannot have invited")
	got, err := b.Store.User(b.Ctx, b.account.ID, ann.ID)
	require.NoError(t, err)
	require.Equal(t, models.Member, got.Role)
	require.Contains(t, b.trail(t), "bob@example.org: role changed to member ann@example.org")
}

func TestARemovedUserIsOutAndOneOwnerStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.user(t, "ann@example.org", models.Owner), b.user(t, "bob@example.org", models.Member)
	b.signIn(t, bob, "browser")
	require.NoError(t, b.Store.RemoveUser(b.Ctx, ann, bob.ID))
	require.False(t, b.signedIn(t, "browser"))
	_, err := b.Store.UserByEmail(b.Ctx, bob.Email)
	requireCode(t, models.CodeNotFound, err)
	requireCode(t, models.CodeConflict, b.Store.RemoveUser(b.Ctx, ann, ann.ID))
	require.Contains(t, b.trail(t), "ann@example.org: member removed bob@example.org")
}

func TestTwoOwnersWhoRemoveEachOtherLeaveOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.user(t, "ann@example.org", models.Owner), b.user(t, "bob@example.org", models.Owner)
	lock := begin(t, b.Pool)
	_, err := lock.Exec(b.Ctx, `select from users where account_id = $1 for update`, b.account.ID)
	require.NoError(t, err)
	var both sync.WaitGroup
	failed := make([]error, 2)
	both.Go(func() { failed[0] = b.Store.RemoveUser(b.Ctx, ann, bob.ID) })
	both.Go(func() { failed[1] = b.Store.RemoveUser(b.Ctx, bob, ann.ID) })
	waiting(t, b.Pool, 2)
	require.NoError(t, lock.Rollback(b.Ctx))
	both.Wait()

	left, err := b.Store.Users(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NotEqual(t, failed[0] == nil, failed[1] == nil, "one of them is refused")
}
