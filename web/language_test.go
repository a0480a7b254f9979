package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// reads opens a page as a browser does that asks for languages.
func (w *browser) reads(path, languages string) string {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+path, http.NoBody)
	require.NoError(w.t, err)
	r.Header.Set("Accept-Language", languages)
	return text(w.t, w.do(r))
}

func TestPagesSpeakTheLanguageOfTheirReader(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.browser()

	t.Log("the browser asks, in the order of its wishes; what the pages cannot speak is passed over")
	for languages, code := range map[string]string{"": "en", "es": "es", "es-MX,es;q=0.9,en;q=0.8": "es", "en-US,es;q=0.9": "en", "fr,es;q=0.5": "es", "de": "en", "en;q=0.2, es;q=0.9": "es", "nonsense;;": "en"} {
		require.Contains(t, w.reads("/sign-in", languages), `<html lang="`+code+`">`, languages)
	}
	require.Contains(t, w.reads("/sign-in", "es"), "Iniciar sesión")
	require.Contains(t, w.reads("/status", "es"), "Qué tan al día está cada condado")
	require.Contains(t, w.reads("/docs", "es"), "Este manual está en inglés")
	require.NotContains(t, w.reads("/docs", "en"), "inglés", "a page that is kept for all is kept for each language")

	t.Log("a choice counts more, is kept in a cookie, and leads back")
	w = b.as("ada@example.org")
	require.Contains(t, text(t, w.get("/settings/keys")), `name="lang" value="es" lang="es" aria-pressed="false">Español</button>`)
	chosen := w.post("/language", "lang", "es", "next", "/settings/keys")
	require.Equal(t, "/settings/keys", chosen.Header.Get("Location"))
	page := w.reads("/settings/keys", "en")
	for _, part := range []string{`<html lang="es">`, "Claves en uso", "Ninguna clave en uso", "Ajustes de News Desk · plan Enterprise", "/words.es.js", `aria-pressed="true">Español</button>`} {
		require.Contains(t, page, part)
	}
	require.Equal(t, http.StatusBadRequest, w.post("/language", "lang", "xx", "next", "/").StatusCode)
	require.Equal(t, "/", w.post("/language", "lang", "es", "next", "//evil.example").Header.Get("Location"))
	require.Contains(t, text(t, w.get("/settings/members?done=role")), "El rol se cambió.")
	require.Contains(t, text(t, w.post("/settings/members", "email", "nobody", "role", "member")), "El correo electrónico no es una dirección como desk@example.org.")

	t.Log("no page of settings or operators has a message that was left English")
	for _, path := range []string{"/", "/search", "/inbox", "/alerts", "/alerts/new", "/alerts/import", "/counties", "/counties/echols", "/settings/webhooks", "/settings/usage", "/settings/you", "/settings/trail", "/operator/sources", "/operator/jobs", "/operator/review"} {
		page := text(t, w.get(path))
		require.Contains(t, page, `<html lang="es">`, path)
		require.NotRegexp(t, `\b(the|your|this|with|and)\b`, prose(page), path)
	}
	require.Equal(t, "/", w.post("/language", "lang", "en", "next", "/").Header.Get("Location"))
	require.Contains(t, w.reads("/settings/keys", "es"), "Keys in use")
}

var (
	unseen = regexp.MustCompile(`(?s)<(script|style|code|pre)\b.*?</(?:script|style|code|pre)>|<option.*?</option>`)
	markup = regexp.MustCompile(`<[^>]*>`)
)

// prose returns what a page says.
func prose(page string) string {
	return strings.Join(strings.Fields(markup.ReplaceAllString(unseen.ReplaceAllString(page, " "), " ")), " ")
}
