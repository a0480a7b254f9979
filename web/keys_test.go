package web_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// keyOf stores a key that somebody made.
func (b *bundle) keyOf(maker, label string) *models.APIKey {
	b.t.Helper()
	k := &models.APIKey{AccountID: b.account.ID, Label: label, Prefix: "rc_live_abcd", SHA256: auth.HashToken(label), CreatedBy: maker}
	require.NoError(b.t, b.store.CreateKey(b.t.Context(), k))
	return k
}

// usable are the labels of the keys that open something, in order.
func (b *bundle) usable() (labels []string) {
	b.t.Helper()
	keys, err := b.store.Keys(b.t.Context(), b.account.ID)
	require.NoError(b.t, err)
	for _, k := range keys {
		if k.Usable(time.Now()) {
			labels = append(labels, k.Label)
		}
	}
	slices.Sort(labels)
	return labels
}

// aged makes every session older than what asks for no password.
func (b *bundle) aged() {
	b.t.Helper()
	_, err := b.db.Pool.Exec(b.t.Context(), `update sessions set created_at = created_at - interval '20 minutes'`)
	require.NoError(b.t, err)
}

func TestMembersRevokeAndReplaceTheirOwnKeysAndOwnersAll(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	owner := b.user(b.account, "owner@example.org", models.Owner, false)
	member := b.user(b.account, "member@example.org", models.Member, false)
	own, theirs := b.as(member.Email), b.as(owner.Email)
	require.Equal(t, http.StatusOK, own.post("/settings/keys", "label", "by member", "expires", "never").StatusCode)
	require.Equal(t, http.StatusOK, theirs.post("/settings/keys", "label", "by owner", "expires", "never").StatusCode)
	b.keyOf("", "by command")
	at := map[string]string{}
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	for _, k := range keys {
		at[k.Label] = "/settings/keys/" + k.ID
	}
	for _, label := range []string{"by owner", "by command"} {
		for _, what := range []string{"/revoke", "/replace"} {
			resp := own.post(at[label]+what, "overlap", "now")
			require.Equal(t, http.StatusForbidden, resp.StatusCode, label+what)
			require.Contains(t, text(t, resp), "Only an owner of the account, or the person who created this key")
		}
		require.NotContains(t, text(t, own.get("/settings/keys")), at[label]+"/revoke")
		require.Contains(t, text(t, theirs.get("/settings/keys")), at[label]+"/revoke")
	}
	require.Equal(t, []string{"by command", "by member", "by owner"}, b.usable())

	t.Log("everybody sees who made a key, and the account's trail says who revoked it")
	require.Regexp(t, `by member(?s:.*)created [^·]+ by member@example\.org · never used`, text(t, theirs.get("/settings/keys")))
	require.Equal(t, http.StatusOK, own.post(at["by member"]+"/replace", "overlap", "now").StatusCode)
	require.Equal(t, http.StatusSeeOther, theirs.post(at["by command"]+"/revoke").StatusCode)
	require.Equal(t, []string{"by member", "by owner"}, b.usable())
	require.Regexp(t, `(?s)owner@example\.org.*key revoked.*by command`, text(t, theirs.get("/settings/trail")))

	t.Log("a key that an owner replaces is the owner's from then on")
	require.Equal(t, http.StatusOK, theirs.post("/settings/keys/"+b.newest("by member")+"/replace", "overlap", "now").StatusCode)
	require.Equal(t, http.StatusForbidden, own.post("/settings/keys/"+b.newest("by member")+"/revoke").StatusCode)
}

// newest is the id of the newest key with a label.
func (b *bundle) newest(label string) string {
	b.t.Helper()
	keys, err := b.store.Keys(b.t.Context(), b.account.ID)
	require.NoError(b.t, err)
	i := slices.IndexFunc(keys, func(k *models.APIKey) bool { return k.Label == label })
	require.GreaterOrEqual(b.t, i, 0)
	return keys[i].ID
}

func TestMakingAKeyAsksForThePasswordAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as(u.Email)
	require.NotContains(t, text(t, w.get("/settings/keys")), "Confirm your password", "who has just signed in is not asked")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "first", "expires", "never").StatusCode)
	b.aged()
	page := text(t, w.get("/settings/keys"))
	require.Contains(t, page, "Confirm your password")
	require.Contains(t, page, `href="/sign-in?again=1&amp;next=%2fsettings%2fkeys"`, "a passkey does as well")
	replace := "/settings/keys/" + b.newest("first") + "/replace"
	for name, wrong := range map[string][]string{"none": nil, "a wrong one": {"current", "wrong"}} {
		resp := w.post("/settings/keys", append([]string{"label", "second", "expires", "never"}, wrong...)...)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, name)
		page = text(t, resp)
		require.Regexp(t, `<form class="fields" method="post" action="/settings/keys">(?s:.*)name="current"[^>]*aria-invalid`, page, name)
		require.Contains(t, page, `value="second"`, "what was typed stays")
		resp = w.post(replace, append([]string{"overlap", "now"}, wrong...)...)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, name)
		require.Regexp(t, `<details class="confirm" open><summary>Regenerate(?s:.*)name="current"[^>]*aria-invalid(?s:.*)id="make"`, text(t, resp), name)
	}
	require.Equal(t, []string{"first"}, b.usable())
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "second", "expires", "never", "current", password).StatusCode)
	require.Equal(t, http.StatusOK, w.post(replace, "overlap", "now", "current", password).StatusCode)
	require.Equal(t, []string{"first", "second"}, b.usable())
	require.Equal(t, http.StatusSeeOther, w.post("/settings/keys/"+b.newest("second")+"/revoke").StatusCode, "ending one needs no password: it may be urgent")

	t.Log("tries are limited, and the page says so")
	var resp *http.Response
	for range 12 {
		resp = w.post("/settings/keys", "label", "third", "expires", "never", "current", "wrong")
	}
	require.Contains(t, text(t, resp), "Too many")
	require.Equal(t, []string{"first"}, b.usable())
}

func TestOwnersAreShownTheKeysOfWhoeverLeftAndRevokeThemAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	owner := b.user(b.account, "owner@example.org", models.Owner, false)
	leaver := b.user(b.account, "Leaver@example.org", models.Member, false)
	stays := b.user(b.account, "stays@example.org", models.Member, false)
	b.keyOf(leaver.Email, "nightly")
	b.keyOf("leaver@example.org", "<b>notebook</b>")
	gone := b.keyOf(leaver.Email, "revoked before")
	require.NoError(t, b.store.RevokeKey(t.Context(), gone.ID, time.Now()))
	b.keyOf(stays.Email, "of who stays")
	b.keyOf("", "by command")
	elsewhere := b.newAccount("else@example.org", models.Enterprise)
	foreign := &models.APIKey{AccountID: elsewhere.ID, Label: "foreign", Prefix: "rc_live_abcd", SHA256: auth.HashToken("foreign"), CreatedBy: leaver.Email}
	require.NoError(t, b.store.CreateKey(t.Context(), foreign))
	w, m := b.as(owner.Email), b.as(stays.Email)
	require.NotContains(t, text(t, w.get("/settings/members")), "is no longer a member")

	to := w.post("/settings/members/" + leaver.ID + "/remove").Header.Get("Location")
	for _, path := range []string{to, "/settings/keys"} {
		page := text(t, w.get(path))
		require.Regexp(t, `(?i)<b>leaver@example\.org is no longer a member\.</b> 2 keys that this person created still work`, page, path)
		require.Contains(t, page, "nightly <code>rc_live_abcd…</code>, never used", path)
		require.Contains(t, page, "&lt;b&gt;notebook&lt;/b&gt;", path)
		require.Contains(t, page, "Revoke 2 keys", path)
		require.NotContains(t, text(t, m.get(path)), "is no longer a member", "members are not told")
	}
	require.Equal(t, http.StatusForbidden, m.post("/settings/keys/revoke-made-by", "email", leaver.Email).StatusCode)
	require.Equal(t, "/settings/keys?done=revoked-all", w.post("/settings/keys/revoke-made-by", "email", leaver.Email).Header.Get("Location"))
	require.Equal(t, []string{"by command", "of who stays"}, b.usable())
	again := w.post("/settings/keys/revoke-made-by", "email", leaver.Email)
	require.Equal(t, http.StatusConflict, again.StatusCode)
	require.Contains(t, text(t, again), "This person has no keys in use; nothing was revoked")
	require.NotContains(t, text(t, w.get("/settings/keys")), "is no longer a member")
	kept, err := b.store.Key(t.Context(), foreign.ID)
	require.NoError(t, err)
	require.True(t, kept.Usable(time.Now()), "another account's keys are its own")
	require.Regexp(t, `(?s)key revoked.*key revoked.*member removed`, text(t, w.get("/settings/trail")), "each is in the trail")
}
