package web_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// say posts JSON as a page's script does.
func (w *browser) say(path, body string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, strings.NewReader(body))
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return w.do(r)
}

func TestAPasskeyIsAddedOnlySoonAfterSigningIn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Free)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	resp := w.say("/settings/you/passkeys/begin", "")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	options := text(t, resp)
	require.Contains(t, options, `"userVerification":"required"`)
	require.Contains(t, options, `"residentKey":"required"`)
	require.Contains(t, options, `"rp":{"name":"rollcall","id":"localhost"}`)

	_, err := b.db.Pool.Exec(t.Context(), `update sessions set created_at = now() - interval '16 minutes'`)
	require.NoError(t, err)
	resp = w.say("/settings/you/passkeys/begin", "")
	require.Equal(t, http.StatusForbidden, resp.StatusCode)
	require.Contains(t, text(t, resp), "within 15 minutes of signing in")
}

func TestAnswersThatNobodyAskedForSignInNobody(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.browser()
	client := base64.RawURLEncoding.EncodeToString([]byte(`{"type":"webauthn.get","challenge":"bm9ib2R5IGFza2Vk","origin":"http://localhost"}`))
	data := base64.RawURLEncoding.EncodeToString(make([]byte, 37))
	forged := `{"next":"//evil.example","credential":{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"` + client +
		`","authenticatorData":"` + data + `","signature":"AAAA","userHandle":"` + base64.RawURLEncoding.EncodeToString([]byte(u.ID)) + `"}}}`
	for _, body := range []string{forged, `{}`, `{"credential":{}}`, `{"credential":null}`} {
		resp := w.say("/sign-in/passkey", body)
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode, body)
		require.Empty(t, resp.Cookies(), body)
		require.Contains(t, text(t, resp), "not accepted", body)
	}
	require.Equal(t, http.StatusBadRequest, w.say("/sign-in/passkey", `[`).StatusCode)
}

func TestAskingForChallengesIsLimited(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	w := b.browser()
	for range 20 {
		require.Equal(t, http.StatusOK, w.say("/sign-in/passkey/begin", "").StatusCode)
	}
	require.Equal(t, http.StatusTooManyRequests, w.say("/sign-in/passkey/begin", "").StatusCode)
}

func TestPasskeysAreOfOneUserAndGoWithALostPassword(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	ada := b.user(b.account, "ada@example.org", models.Owner, false)
	bob := b.user(b.account, "bob@example.org", models.Owner, false)
	for _, k := range []models.Passkey{{ID: []byte("ada's"), Name: "Ada's phone"}, {ID: []byte("bob's"), Name: "<b>Bob's</b> key"}} {
		owner := map[string]*models.User{"ada's": ada, "bob's": bob}[string(k.ID)]
		k.Credential = []byte(`{}`)
		require.NoError(t, b.store.AddPasskey(t.Context(), owner, k))
	}
	w := b.as("ada@example.org")
	page := text(t, w.get("/settings/you"))
	require.Contains(t, page, "Ada&#39;s phone")
	require.NotContains(t, page, "Bob")
	bobs := base64.RawURLEncoding.EncodeToString([]byte("bob's"))
	require.Equal(t, http.StatusNotFound, w.post("/settings/you/passkeys/"+bobs+"/remove").StatusCode)
	require.Equal(t, http.StatusNotFound, w.post("/settings/you/passkeys/!/remove").StatusCode)
	require.Contains(t, text(t, b.as("bob@example.org").get("/settings/you")), "&lt;b&gt;Bob&#39;s&lt;/b&gt; key")

	t.Log("a reset link takes them away: whoever had the password may have added one")
	token := auth.NewToken()
	require.NoError(t, b.store.CreateSignInLink(t.Context(), &models.SignInLink{
		SHA256: auth.HashToken(token), Kind: models.Reset, AccountID: ada.AccountID, UserID: &ada.ID, Email: ada.Email, Role: ada.Role, CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
	}))
	const newer = "window kettle green horse"
	require.Equal(t, http.StatusSeeOther, b.browser().post("/reset/"+token, "password", newer, "again", newer).StatusCode)
	keys, err := b.store.Passkeys(t.Context(), ada.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
	keys, err = b.store.Passkeys(t.Context(), bob.ID)
	require.NoError(t, err)
	require.Len(t, keys, 1)
}
