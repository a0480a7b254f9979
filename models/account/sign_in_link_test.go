package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnInvitationMakesAUserOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := models.SignInLink{
		SHA256: sha("first"), Kind: models.Invitation, AccountID: b.account.ID, Email: " Ann@example.org ", Role: models.Owner, Operator: true,
		CreatedBy: models.CommandLine, ExpiresAt: b.Now.Add(time.Hour),
	}
	require.NoError(t, b.Store.CreateSignInLink(b.Ctx, &l))
	second := l
	second.SHA256 = sha("second")
	require.NoError(t, b.Store.CreateSignInLink(b.Ctx, &second))
	got, err := b.Store.SignInLink(b.Ctx, models.Invitation, sha("first"))
	require.NoError(t, err)
	require.Equal(t, &l, got)
	_, err = b.Store.SignInLink(b.Ctx, models.Reset, sha("first"))
	requireCode(t, models.CodeNotFound, err)

	u, err := b.Store.AcceptInvitation(b.Ctx, sha("first"), "hash")
	require.NoError(t, err)
	require.Equal(t, &models.User{
		ID: u.ID, AccountID: b.account.ID, Email: "Ann@example.org", Password: "hash", Role: models.Owner, Operator: true, CreatedAt: b.Now,
	}, u)
	stored, err := b.Store.User(b.Ctx, b.account.ID, u.ID)
	require.NoError(t, err)
	require.Equal(t, u, stored)
	for _, secret := range []string{"first", "second"} {
		_, err := b.Store.AcceptInvitation(b.Ctx, sha(secret), "another hash")
		requireCode(t, models.CodeNotFound, err)
	}
	require.Equal(t, []string{
		"command line: invitation created Ann@example.org", "command line: invitation created Ann@example.org", "Ann@example.org: invitation accepted ",
	}, b.trail(t))
}

func TestWhoCannotBeInvited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.user(t, "ann@example.org", models.Owner)
	invite := func(account, email, secret string) error {
		return b.Store.CreateSignInLink(b.Ctx, &models.SignInLink{
			SHA256: sha(secret), Kind: models.Invitation, AccountID: account, Email: email, Role: models.Member, CreatedBy: "boss", ExpiresAt: b.Now.Add(time.Hour),
		})
	}
	requireCode(t, models.CodeConflict, invite(b.account.ID, "ANN@example.org", "a"))
	requireCode(t, models.CodeInvalidParameter, invite(b.account.ID, "not an address", "b"))
	require.ErrorIs(t, invite("acct_none", "bob@example.org", "c"), models.ErrNoAccount)

	other := b.open(t, "other@example.org")
	require.NoError(t, invite(other.ID, "ann@example.org", "d"), "owners do not learn who uses the service")
	_, err := b.Store.AcceptInvitation(b.Ctx, sha("d"), "hash")
	requireCode(t, models.CodeConflict, err)
}

func TestALinkThatExpiredOrWasTakenBackDoesNotWork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss := b.user(t, "boss@example.org", models.Owner)
	b.link(t, models.SignInLink{Kind: models.Invitation, Email: "ann@example.org"})
	b.link(t, models.SignInLink{Kind: models.Reset, Email: boss.Email, UserID: &boss.ID})
	b.link(t, models.SignInLink{Kind: models.Enter, Email: boss.Email, UserID: &boss.ID})
	has, err := b.Store.HasEnterLink(b.Ctx, boss.ID)
	require.NoError(t, err)
	require.True(t, has)
	links, err := b.Store.OpenLinks(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Len(t, links, 2, "a link to enter is not for others")

	kind, err := b.Store.TakeBackLink(b.Ctx, boss, sha("invitation of ann@example.org"))
	require.NoError(t, err)
	require.Equal(t, models.Invitation, kind)
	require.Contains(t, b.trail(t), "boss@example.org: invitation revoked ann@example.org")
	for _, secret := range []string{"invitation of ann@example.org", "enter of boss@example.org"} {
		_, err = b.Store.TakeBackLink(b.Ctx, boss, sha(secret))
		requireCode(t, models.CodeNotFound, err)
	}
	_, err = b.Store.AcceptInvitation(b.Ctx, sha("invitation of ann@example.org"), "hash")
	requireCode(t, models.CodeNotFound, err)

	b.Now = b.Now.Add(24 * time.Hour)
	_, err = b.Store.ResetPassword(b.Ctx, sha("reset of boss@example.org"), "hash")
	requireCode(t, models.CodeNotFound, err)
	links, err = b.Store.OpenLinks(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Empty(t, links)
	has, err = b.Store.HasEnterLink(b.Ctx, boss.ID)
	require.NoError(t, err)
	require.False(t, has)
}

func TestAResetEndsSessionsAndPasskeysAndWorksOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	b.signIn(t, u, "browser")
	require.NoError(t, b.Store.AddPasskey(b.Ctx, u, models.Passkey{ID: []byte("key"), Name: "phone", Credential: []byte(`{}`)}))
	b.link(t, models.SignInLink{Kind: models.Reset, UserID: &u.ID, Email: u.Email})

	got, err := b.Store.ResetPassword(b.Ctx, sha("reset of ann@example.org"), "new hash")
	require.NoError(t, err)
	require.Equal(t, "new hash", got.Password)
	require.False(t, b.signedIn(t, "browser"))
	keys, err := b.Store.Passkeys(b.Ctx, u.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
	_, err = b.Store.ResetPassword(b.Ctx, sha("reset of ann@example.org"), "newer hash")
	requireCode(t, models.CodeNotFound, err)
	require.Contains(t, b.trail(t), "ann@example.org: password reset ")
}
