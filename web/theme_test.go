package web_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheServerShowsTheThemeThatWasChosen(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	require.Contains(t, text(t, w.get("/settings/keys")), `<html lang="en">`)
	require.Contains(t, text(t, w.get("/settings/keys")), `name="color-scheme" content="light dark"`)
	resp := w.post("/theme", "theme", "dark", "next", "/settings/keys")
	require.Equal(t, "/settings/keys", resp.Header.Get("Location"))
	page := text(t, w.get("/settings/keys"))
	require.Contains(t, page, `<html lang="en" data-theme="dark">`)
	require.Contains(t, page, `name="color-scheme" content="dark"`)
	require.Contains(t, page, `value="dark" aria-pressed="true"`)
	require.Contains(t, text(t, w.get("/docs")), `data-theme="dark"`)
	require.Equal(t, http.StatusBadRequest, w.post("/theme", "theme", "neon").StatusCode)
	require.Equal(t, "/", w.post("/theme", "theme", "light", "next", "//evil.example").Header.Get("Location"), "it leads nowhere else")
	w.post("/theme", "theme", "system", "next", "/settings/keys")
	require.Contains(t, text(t, w.get("/settings/keys")), `<html lang="en">`)

	t.Log("who is not signed in chooses too")
	stranger := b.browser()
	require.Contains(t, text(t, stranger.get("/docs")), `action="/theme"`)
	stranger.post("/theme", "theme", "light", "next", "/docs")
	require.Contains(t, text(t, stranger.get("/docs")), `data-theme="light"`)
}
