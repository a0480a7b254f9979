package walk

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// playgroundMost is how many bytes the playground may weigh with the schema that it reads.
const playgroundMost = 450_000

// asksInThePlayground asks as who is signed in: the schema is there before anything was asked, and its documentation opens.
func asksInThePlayground(t *testing.T, b *tab) {
	t.Helper()
	b.look(1280, "light")
	b.visit("/graphql")
	b.until(`!!document.querySelector(".graphiql-execute-button")`)
	b.do(chromedp.Click(chromedp.CSS(`button[aria-label="Show Documentation Explorer"]`)))
	b.until(`(document.querySelector(".graphiql-doc-explorer-content")?.innerText ?? "").includes("query: Query")`)
	require.LessOrEqual(t, b.transferred(), int64(playgroundMost))
	b.do(chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
	b.until(`(document.querySelector(".result-window")?.innerText ?? "").includes("total")`)
	require.LessOrEqual(t, eval[int](b, `document.getElementById("playground").offsetHeight`), 900, "its panes scroll, not the page")
	b.accessible()
	b.look(1280, "dark")
	b.accessible()
	b.look(360, "light")
	b.accessible()
	require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), 360, "its panes scroll, not the page")
	b.look(1280, "light")
	b.do(chromedp.Click(chromedp.CSS(`button[aria-label="Open settings dialog"]`)), chromedp.WaitVisible(chromedp.CSS(".graphiql-dialog")))
	b.accessible()
	b.do(chromedp.KeyEvent(kb.Escape))

	t.Log("the theme of the account menu is that of the playground too")
	b.click("button.account")
	b.click(`.menu form.theme button[value="dark"]`)
	b.until(`document.body.classList.contains("graphiql-dark")`)
	b.click(`.menu form.theme button[value="system"]`)
	b.until(`document.body.classList.contains("graphiql-light")`)
	subscribesInThePlayground(t, b)
	asksWithAPastedKey(t, b)
}

// subscribesInThePlayground runs a subscription, ends it, and leaves the editor by the keyboard alone.
func subscribesInThePlayground(t *testing.T, b *tab) {
	t.Helper()
	const editor = `document.querySelector(".graphiql-query-editor .CodeMirror").CodeMirror`
	eval[bool](b, editor+`.setValue("subscription { alertEvents { id } }") === undefined`)
	b.click(".graphiql-execute-button")
	b.until(`document.querySelector(".graphiql-execute-button").getAttribute("aria-label").startsWith("Stop")`)
	b.do(chromedp.Sleep(time.Second))
	require.NotContains(t, eval[string](b, `document.querySelector(".result-window").innerText`), "errors", "it waits for an event")
	b.click(".graphiql-execute-button")
	b.until(`document.querySelector(".graphiql-execute-button").getAttribute("aria-label").startsWith("Execute")`)
	eval[bool](b, editor+`.focus() === undefined`)
	b.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	require.False(t, eval[bool](b, `!!document.activeElement.closest(".CodeMirror")`), "Esc and Tab lead out of it")
	require.NotContains(t, eval[string](b, editor+`.getValue()`), "\t")
}

// asksWithAPastedKey asks in a browser where nobody is signed in. The schema is read as soon as the key is there.
func asksWithAPastedKey(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/settings/keys")
	b.do(chromedp.SendKeys(chromedp.CSS("#label"), "playground"))
	b.submit("form[action='/settings/keys'] button")
	key := eval[string](b, `document.querySelector("#secret").textContent`)
	other := newTab(t, b.root)
	other.visit("/graphql")
	other.until(`!!document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror")`)
	other.accessible()
	eval[bool](other, `document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror").CodeMirror
		.setValue('{"Authorization": "Bearer `+key+`"}') === undefined`)
	other.click(".graphiql-execute-button")
	other.until(`(document.querySelector(".result-window")?.innerText ?? "").includes("total")`)
	other.click(`button[aria-label="Show Documentation Explorer"]`)
	other.until(`(document.querySelector(".graphiql-doc-explorer-content")?.innerText ?? "").includes("query: Query")`)
	other.clean()
}
