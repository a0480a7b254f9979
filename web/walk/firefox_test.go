package walk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPagesInFirefox shows that nothing hangs on Chromium: each page loads, complains of nothing and fits a phone, and what people do most
// works by keyboard.
func TestPagesInFirefox(t *testing.T) {
	t.Parallel()
	firefox(t)
	root, enter, stop := demoDoor(t, "--pace", "1h")
	defer stop()
	f := newFox(t, root)
	f.visit(enter)
	require.Equal(t, "/", f.text("location.pathname"))

	t.Log("a search by keyboard leads to a booking")
	f.visit("/search")
	f.until(`document.activeElement.id === "q"`)
	f.types("smi")
	f.until(`document.querySelectorAll("[data-result]").length > 5`)
	f.types(arrowDown)
	f.until(`document.activeElement.matches("[data-result]")`)
	f.types(enterKey)
	f.until(`location.pathname.startsWith("/roster/")`)
	booking := f.text("location.pathname")

	t.Log("an alert is created after its preview")
	f.visit("/alerts/new")
	f.until(`document.activeElement.id === "name"`)
	f.types("Quillon Featherstonehaugh")
	f.until(`!document.querySelector("main form button[type=submit], main form button:not([type])").disabled`)
	f.types(enterKey)
	f.until(`/^.alerts.(?!new$)./.test(location.pathname)`)
	alert := f.text("location.pathname")

	for _, path := range []string{
		"/", "/search?q=smi", booking, "/people/" + booking[len("/roster/"):], "/people?name=smith", "/counties", "/counties/hall", "/alerts", alert, "/inbox", "/activity", "/deliveries",
		"/settings/keys", "/settings/webhooks", "/settings/you", "/settings/usage", "/operator/sources", "/operator/review", "/operator/jobs", "/docs", "/docs/webhooks", "/status", "/graphql",
	} {
		f.width(1280)
		f.visit(path)
		f.width(360)
		if path != "/graphql" { // an editor with panes that scroll
			require.Empty(t, f.text(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".visually-hidden, .skip, .scroll"))
				.slice(0, 5).map(e => e.outerHTML.slice(0, 160)).join("\n")`), path)
		}
		require.Empty(t, f.problems(), path)
	}
}
