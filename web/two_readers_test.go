package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// linked stores a link of somebody and gives its path.
func (b *bundle) linked(kind models.LinkKind, email string, user *string) string {
	b.t.Helper()
	token := auth.NewToken()
	require.NoError(b.t, b.store.CreateSignInLink(b.t.Context(), &models.SignInLink{
		SHA256: auth.HashToken(token), Kind: kind, AccountID: b.account.ID, UserID: user, Email: email, Role: models.Member, CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
	}))
	return "/" + string(kind) + "/" + token
}

func TestALinkOfSomebodyElseSaysWhoIsSignedInHere(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	bob := b.user(b.account, "bob@example.org", models.Member, false)
	w := b.as("ada@example.org")
	reset, invitation := b.linked(models.Reset, bob.Email, &bob.ID), b.linked(models.Invitation, "new@example.org", nil)
	for _, path := range []string{reset, invitation} {
		require.Contains(t, text(t, w.get(path)), "This browser is signed in as ada@example.org", path)
		require.NotContains(t, text(t, b.browser().get(path)), "This browser is signed in", path)
		require.NotContains(t, text(t, b.as("bob@example.org").get(reset)), "This browser is signed in")
	}

	t.Log("who has set a password is asked for it, and not led on as the other one")
	const newer = "window kettle green horse"
	to := w.post(reset, "password", newer, "again", newer).Header.Get("Location")
	page := w.get(to)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, text(t, page), "Your password was set. Sign in with it. Your passkeys were removed")
	require.Equal(t, http.StatusSeeOther, w.post("/sign-in", "email", bob.Email, "password", newer).StatusCode)
	require.Contains(t, text(t, w.get("/settings/you")), bob.Email)
}

func TestAFormOfTheReaderBeforeIsNotDoneForTheNextOne(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	ada := b.user(b.account, "ada@example.org", models.Owner, false)
	bob := b.user(b.newAccount("other@example.org", models.Enterprise), "bob@example.org", models.Owner, false)
	w := b.as(bob.Email)
	resp := w.post("/settings/keys", "label", "what ada wrote", "expires", "never", "reader", ada.ID)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, text(t, resp), "Someone else signed in to this browser after this page was opened")
	keys, err := b.store.Keys(t.Context(), bob.AccountID)
	require.NoError(t, err)
	require.Empty(t, keys)
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "what bob wrote", "expires", "never", "reader", bob.ID).StatusCode)

	begin := w.form("/settings/you/passkeys/begin")
	begin.Header.Set(auth.ReaderHeader, ada.ID)
	require.Equal(t, http.StatusConflict, w.do(begin).StatusCode)
}

func TestAKeyEndsWhenItExpiresHoweverLongTheOverlap(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	soon := time.Now().Add(30 * time.Hour).UTC()
	for i, k := range []*models.APIKey{{Label: "replaced"}, {Label: "ended by command"}} {
		k.AccountID, k.Prefix, k.SHA256, k.ExpiresAt = b.account.ID, "rc_live_abcd", auth.HashToken(k.Label), &soon
		require.NoError(t, b.store.CreateKey(t.Context(), k))
		if i > 0 {
			require.NoError(t, b.store.RevokeKey(t.Context(), k.ID, time.Now().AddDate(0, 0, 7)))
			continue
		}
		require.Equal(t, http.StatusOK, w.post("/settings/keys/"+k.ID+"/replace", "overlap", "7d").StatusCode)
		kept, err := b.store.Key(t.Context(), k.ID)
		require.NoError(t, err)
		require.WithinDuration(t, soon, *kept.RevokedAt, time.Minute)
		require.Contains(t, text(t, w.get("/settings/trail")), "old key kept for 1 day")
	}
	require.Regexp(t, `(?s)ended by command</h3>.{0,200}(expires|works until) `+soon.In(models.Georgia).Format("Jan 2, 2006"), text(t, w.get("/settings/keys")), "a later revocation does not keep it")
	_, err := b.db.Pool.Exec(t.Context(), `update api_keys set expires_at = now() - interval '1 hour' where label = 'ended by command'`)
	require.NoError(t, err)
	require.Regexp(t, `(?s)<td role="cell">ended by command</td>.{0,500}expired `, text(t, w.get("/settings/keys")))
}
