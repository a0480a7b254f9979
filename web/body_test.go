package web_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestABodyThatIsNoFormIsRefusedInWords(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	keys := func() int {
		all, err := b.store.Keys(t.Context(), b.account.ID)
		require.NoError(t, err)
		return len(all)
	}
	large := w.post("/settings/keys", "label", strings.Repeat("x", 70<<10), "expires", "never")
	require.Equal(t, http.StatusRequestEntityTooLarge, large.StatusCode)
	page := text(t, large)
	require.Contains(t, page, "larger than 64 KB")
	require.Contains(t, page, "Sign out", "whoever is signed in stays so")

	var parts bytes.Buffer
	form := multipart.NewWriter(&parts)
	require.NoError(t, form.WriteField("label", "production"))
	require.NoError(t, form.WriteField("expires", "never"))
	require.NoError(t, form.Close())
	for kind, body := range map[string]string{
		form.FormDataContentType(): parts.String(),
		"application/json":         `{"label": "production", "expires": "never"}`,
		"text/plain":               "label=production&expires=never",
		"":                         "label=production&expires=never",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/settings/keys", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", kind)
		resp := w.do(r)
		require.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode, kind)
		require.Contains(t, text(t, resp), "application/x-www-form-urlencoded", kind)
	}
	require.Zero(t, keys())

	r := w.form("/settings/keys", "label", "production", "expires", "never")
	r.Header.Set("Content-Type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8")
	require.Equal(t, http.StatusOK, w.do(r).StatusCode)
	require.Equal(t, 1, keys())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/sign-out", http.NoBody)
	require.NoError(t, err)
	require.Equal(t, http.StatusSeeOther, w.do(r).StatusCode, "no body is an empty form")
}
