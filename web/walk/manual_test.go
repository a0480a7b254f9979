package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestShortCodeWordsStandOnOneLine looks at the manual on a phone, which anybody may read.
func TestShortCodeWordsStandOnOneLine(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, _ := x.Serve("Desk")
	b := newTab(t, root)
	b.look(360, "light")
	for path, word := range map[string]string{"/docs/webhooks": "GET", "/docs/clients": "IfMatch", "/docs/graphql": "operationName", "/docs/samples": "GET", "/docs/v1/roster": "GET"} {
		b.visit(path)
		b.fits()
		require.Contains(t, eval[string](b, `[...document.querySelectorAll("main code")].map(e => e.textContent).join(" ")`), word, path)
		require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("main :not(pre) > code")].filter(e => {
			const words = document.createRange();
			words.selectNodeContents(e);
			return e.textContent.length <= 24 && new Set([...words.getClientRects()].map(r => Math.round(r.top))).size > 1;
		}).map(e => e.textContent)`), path)
	}
	b.clean()
}

func triesTheReference(t *testing.T, b *tab) {
	t.Helper()
	t.Log("an address of the reference as it was before leads to the operation")
	b.visit("/docs#listRoster")
	b.until(`location.pathname + location.hash === "/docs/v1/roster#listRoster"`)

	t.Log("the manual is searched by keyboard")
	b.do(chromedp.SendKeys(chromedp.CSS("#manual-q"), "updated_since"))
	b.until(`document.querySelector("#manual-found a")`)
	b.do(chromedp.SendKeys(chromedp.CSS("#manual-q"), kb.ArrowDown))
	require.Contains(t, eval[string](b, "document.activeElement.textContent"), "updated_since")
	b.accessible()

	t.Log("who is signed in needs no key")
	b.visit("/docs/v1/roster")
	b.click("#listRoster .try button")
	b.do(chromedp.SendKeys(chromedp.CSS("#try-listRoster-limit"), "2"))
	eval[bool](b, `(document.querySelector("#try-listRoster-status").value = "booked") === "booked"`)
	b.click("#listRoster .try button.primary")
	b.until(`document.querySelector("#listRoster .answer .chip.good")`)
	answer := eval[string](b, `document.querySelector("#listRoster .answer").textContent`)
	require.Regexp(t, `(?s)200 OK.*RateLimit-Remaining\d+.*"limit": 2,.*"status": "booked"`, answer)
	require.Contains(t, answer, `curl -H "Authorization: Bearer $ROLLCALL_KEY"`)
	b.accessible()

	t.Log("what changes something has its body and is asked about, and an address's parts are escaped")
	b.visit("/docs/v1/alerts")
	b.click("#createAlert .try button")
	b.click("#createAlert .try button.primary")
	b.until(`document.activeElement.textContent === "Send it"`)
	require.Contains(t, eval[string](b, `document.querySelector("#createAlert .answer").textContent`), "POST /alerts")
	b.accessible()
	b.click("#createAlert .answer button.primary")
	b.until(`document.querySelector("#createAlert .answer .chip.good")`)
	require.Contains(t, eval[string](b, `document.querySelector("#createAlert .answer").textContent`), "201")
	b.visit("/docs/v1/courts")
	b.click("#showCourtCase .try button")
	b.do(chromedp.SendKeys(chromedp.CSS("#try-showCourtCase-case_number"), "no/such case#1"))
	b.click("#showCourtCase .try button.primary")
	b.until(`document.querySelector("#showCourtCase .answer .chip.warn")`)
	require.Contains(t, eval[string](b, `document.querySelector("#showCourtCase .answer").textContent`), "404")
	b.forget() // Chromium notes the 404 that was asked for

	t.Log("a key that is pasted is used, and nothing of it is kept")
	b.visit("/settings/keys")
	b.do(chromedp.SendKeys(chromedp.CSS("#label"), "reference"))
	b.submit("form[action='/settings/keys'] button")
	key := eval[string](b, `document.querySelector("#secret").textContent`)
	b.visit("/docs/v1/roster")
	b.do(chromedp.SendKeys(chromedp.CSS("#key"), key))
	b.click("#listRoster .try button")
	b.click("#listRoster .try button.primary")
	b.until(`document.querySelector("#listRoster .answer .chip.good")`)
	require.NotContains(t, eval[string](b, `document.querySelector("#listRoster .answer").textContent`), key)
	require.Zero(t, eval[int](b, "localStorage.length + sessionStorage.length"))
	require.NotContains(t, b.path(), key)
	b.do(chromedp.Reload())
	b.settled()
	require.Empty(t, eval[string](b, `document.querySelector("#key").value`))
}
