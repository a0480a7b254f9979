package walk

import (
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A reader looks at the photographs of search results, of a booking and of the matches of an alert: as they are, and blurred until
// one is asked for.
func TestPhotographsInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	root, door, stop := demoDoor(t, "--pace", "1h")
	defer stop()
	b := newTab(t, root)
	b.visit(door)
	b.visit("/search")
	type record struct {
		ID, Name string
		County   struct{ Slug string }
		Mugshot  *struct{ URL string }
	}
	var shown record
	require.Eventually(t, func() bool { // they come after the runs
		var found struct{ Roster struct{ Records []record } }
		b.ask(`{ roster(limit: 200, filter: {status: BOOKED}) { records { id name county { slug } mugshot { url } } } }`, &found)
		for _, r := range found.Roster.Records {
			if r.Mugshot != nil {
				shown = r
				return true
			}
		}
		return false
	}, time.Minute, time.Second)
	pages := map[string]string{
		"search": "/search?q=" + shown.ID, "person": "/roster/" + shown.ID,
		"alert": "/alerts/new?" + url.Values{"name": {shown.Name}, "county": {shown.County.Slug}}.Encode(),
	}
	open := func(page string) {
		b.visit(pages[page])
		b.until(`document.querySelector("img.photograph")`)
		eval[bool](b, `(document.querySelector("img.photograph").scrollIntoView(), true)`)
		b.until(`document.querySelector("img.photograph").naturalWidth`)
	}
	const filter = `getComputedStyle(document.querySelector("img.photograph")).filter`
	const ask = `[...document.querySelectorAll("button")].filter(x => x.textContent === "Show photograph")`
	for page := range pages {
		open(page)
		require.True(t, eval[bool](b, `[...document.querySelectorAll("img.photograph")].every(i => i.loading === "lazy")`), page)
		require.Regexp(t, `^booking photograph of the jail, \w{3} \d{1,2}, \d{4}$`, eval[string](b, `document.querySelector("img.photograph").alt`), page)
		require.LessOrEqual(t, eval[int](b, `(i => Math.max(i.naturalWidth, i.naturalHeight))(document.querySelector("img.photograph"))`), 240, page)
		require.Equal(t, "none", eval[string](b, filter), page)
		require.Zero(t, eval[int](b, ask+`.length`), page)
	}

	t.Log("a reader who wishes so sees them blurred until one is asked for")
	b.visit("/settings/you")
	b.do(chromedp.Click(chromedp.CSS("#blur-photographs")))
	for page := range pages {
		open(page)
		require.Contains(t, eval[string](b, filter), "blur", page)
		if page == "search" { // the result is a link, to where it can be asked for
			require.Zero(t, eval[int](b, ask+`.length`))
			continue
		}
		b.accessible()
		eval[bool](b, ask+`[0].click() || true`)
		require.Equal(t, "none", eval[string](b, filter), page)
	}
	b.visit("/settings/you")
	require.True(t, eval[bool](b, `document.querySelector("#blur-photographs").checked`))
	b.do(chromedp.Click(chromedp.CSS("#blur-photographs")))
	open("person")
	require.Equal(t, "none", eval[string](b, filter))
	b.clean()
}
