package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestASessionIsReadWithItsUserAndTheWholeAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Store.UpdateAccount(b.Ctx, b.account.ID, models.AccountChange{FloodLimit: new(60)})
	require.NoError(t, err)
	u := b.user(t, "ann@example.org", models.Owner)
	b.signIn(t, u, "browser")

	n, gotUser, gotAccount, err := b.Store.SessionByHash(b.Ctx, sha("browser"))
	require.NoError(t, err)
	want := models.Session{SHA256: sha("browser"), UserID: u.ID, CreatedAt: b.Now, SeenAt: b.Now, ExpiresAt: b.Now.Add(24 * time.Hour), Agent: "browser"}
	require.Equal(t, &want, n)
	u.LastSignIn = &b.Now
	require.Equal(t, u, gotUser)
	full, err := b.Store.Account(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, full, gotAccount)
	require.Equal(t, 60, gotAccount.FloodLimit)
	require.Contains(t, b.trail(t), "ann@example.org: signed in ")

	_, _, _, err = b.Store.SessionByHash(b.Ctx, sha("another"))
	requireCode(t, models.CodeNotFound, err)
}

func TestAnExpiredSessionOpensNothingAndIsDropped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	b.signIn(t, u, "old")
	b.Now = b.Now.Add(24 * time.Hour)
	require.False(t, b.signedIn(t, "old"))
	b.signIn(t, u, "new")
	var n int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from sessions`).Scan(&n))
	require.Equal(t, 1, n)
}

func TestWhoKnowsAnOldPasswordIsNotSignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	stale := *u
	require.NoError(t, b.Store.SetPassword(b.Ctx, u, "new hash"))
	err := b.Store.CreateSession(b.Ctx, &stale, models.Session{SHA256: sha("browser"), ExpiresAt: b.Now.Add(time.Hour)})
	requireCode(t, models.CodeUnauthorized, err)
	require.False(t, b.signedIn(t, "browser"))
}

func TestASessionIsTouchedForwardOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	b.signIn(t, u, "browser")
	later, ends := b.Now.Add(time.Hour), b.Now.Add(48*time.Hour)
	require.NoError(t, b.Store.TouchSession(b.Ctx, sha("browser"), later, ends))
	require.NoError(t, b.Store.TouchSession(b.Ctx, sha("browser"), b.Now, b.Now))
	n, _, _, err := b.Store.SessionByHash(b.Ctx, sha("browser"))
	require.NoError(t, err)
	require.Equal(t, later, n.SeenAt)
	require.Equal(t, ends, n.ExpiresAt)
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.user(t, "ann@example.org", models.Owner), b.user(t, "bob@example.org", models.Member)
	b.signIn(t, ann, "phone")
	b.signIn(t, bob, "other")
	b.Now = b.Now.Add(time.Minute)
	b.signIn(t, ann, "laptop")
	b.link(t, models.SignInLink{Kind: models.Enter, UserID: &ann.ID, Email: ann.Email})

	all, err := b.Store.Sessions(b.Ctx, ann.ID)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, sha("laptop"), all[0].SHA256, "last used first")

	require.NoError(t, b.Store.EndSession(b.Ctx, sha("phone")))
	require.NoError(t, b.Store.EndSession(b.Ctx, sha("phone")), "again is fine")
	require.False(t, b.signedIn(t, "phone"))
	require.True(t, b.signedIn(t, "laptop"))

	require.NoError(t, b.Store.EndSessions(b.Ctx, ann))
	require.False(t, b.signedIn(t, "laptop"))
	require.True(t, b.signedIn(t, "other"), "of another user")
	has, err := b.Store.HasEnterLink(b.Ctx, ann.ID)
	require.NoError(t, err)
	require.False(t, has)
	require.Contains(t, b.trail(t), "ann@example.org: signed out everywhere ")
}
