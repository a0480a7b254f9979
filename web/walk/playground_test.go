package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
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
	b.accessible()
	b.look(1280, "dark")
	b.accessible()
	b.look(360, "light")
	b.accessible()
	require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), 360, "its panes scroll, not the page")
	b.look(1280, "light")
	b.do(chromedp.Click(chromedp.CSS(`button[aria-label="Open settings dialog"]`)), chromedp.WaitVisible(chromedp.CSS(".graphiql-dialog")))
	b.accessible()
}
