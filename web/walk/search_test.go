package walk

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestTheSearchFiltersSortsAndSavesInABrowser goes from a charge to a table, a file and a saved search, by keyboard.
func TestTheSearchFiltersSortsAndSavesInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	x.OK("ingest", "--source", "common-csv", "--file", filepath.Join("testdata", "search", "jail_2026-01-05_06-30-00.csv"))
	root, door := x.Serve("Desk")
	b := newTab(t, root)
	b.joins(door)

	t.Log("the closest name is first, and names that are spelled otherwise stand below")
	b.visit("/search?q=john+moonsail")
	names := `[...document.querySelectorAll(".group:not(#similar *) [data-result] b")].map(e => e.textContent)`
	require.Equal(t, []string{"Moonsail, John", "Moonsail, Corey John"}, eval[[]string](b, names))
	b.until(`document.querySelector("#similar [data-result]")`)
	require.Contains(t, eval[string](b, `document.querySelector("#similar").textContent`), "Moonsaile, Jon")
	b.accessible()
	b.photographed("search-similar")

	t.Log("words of a charge that are no name find its bookings")
	b.visit("/search?q=theft")
	b.until(`document.querySelector("#charged") && document.querySelectorAll(".group").length === 1`)
	b.accessible()
	b.visit("/search?charge=theft")
	b.until(`document.querySelectorAll(".group").length === 1`)
	require.Contains(t, b.text(), "Filters search jail bookings only.")
	require.Equal(t, "1 set", eval[string](b, `document.querySelector("#filters-chosen").textContent`))
	b.accessible()

	t.Log("the table has the bookings of the list, and sorts by a column and back")
	b.do(chromedp.Focus(chromedp.CSS("#view-table")), chromedp.KeyEvent(kb.Enter))
	b.until(`location.search.includes("view=table") && document.activeElement.id === "view-table" && !!document.querySelector("td [data-result]") && !document.querySelector(".loading")`)
	b.accessible()
	cells := `[...document.querySelectorAll("td [data-result]")].map(e => e.textContent)`
	for _, order := range []string{"NAME", "NAME_DESC"} {
		b.do(chromedp.Focus(chromedp.CSS(`#sort-name`)), chromedp.KeyEvent(kb.Enter))
		b.until(`new URLSearchParams(location.search).get("sort") === "` + order + `" && !document.querySelector(".loading") && document.activeElement.id === "sort-name"`)
	}
	require.Equal(t, "descending", eval[string](b, `document.querySelector("th:has(#sort-name)").getAttribute("aria-sort")`))
	require.Equal(t, []string{"Moonsail, John", "Brook, Ida"}, eval[[]string](b, cells))
	b.look(360, "dark")
	b.fits()
	b.accessible()
	b.look(1280, "light")
	b.photographed("search-table")

	t.Log("the file has the same bookings, and the address shows the same to others")
	lines := `fetch(document.querySelector("a[download]").href).then(r => r.text()).then(t => t.trim().split("\n").length - 1)`
	require.Equal(t, "2", strconv.Itoa(eval[int](b, lines)))
	b.visit("/search?charge=theft&bond_from=1000&sort=NAME_DESC&view=table")
	require.Equal(t, []string{"Moonsail, John"}, eval[[]string](b, cells))
	require.Equal(t, "2 set", eval[string](b, `document.querySelector("#filters-chosen").textContent`))

	t.Log("a search is saved, found again and deleted")
	eval[bool](b, `(document.querySelector("#save").open = true)`)
	b.do(chromedp.SendKeys(chromedp.CSS("#save-name"), "Thefts"))
	b.submit("#save button")
	b.until(`document.querySelector(".saved nav a")`)
	require.Equal(t, "/search?bond_from=1000&charge=theft&sort=NAME_DESC&view=table", eval[string](b, `document.querySelector(".saved nav a").getAttribute("href")`))
	b.accessible()
	eval[bool](b, `(document.querySelector(".saved nav details").open = true)`)
	b.submit(".saved nav button")
	b.until(`!document.querySelector(".saved nav")`)

	t.Log("bookings are grouped by person, and the address keeps it")
	b.visit("/search?q=moonsail")
	b.do(chromedp.Focus(chromedp.CSS("#view-person")), chromedp.KeyEvent(kb.Enter))
	b.until(`location.search.includes("view=person") && document.activeElement.id === "view-person" && !!document.querySelector(".by-person") && !document.querySelector(".loading")`)
	require.Equal(t, 0, eval[int](b, `[...document.querySelectorAll(".by-person")].filter(e => !e.querySelector("a").getAttribute("href").startsWith("/people/")).length`))
	require.Contains(t, eval[string](b, `document.querySelector(".by-person").textContent`), "1 stay found")
	b.accessible()
	b.photographed("search-people")
	b.look(360, "dark")
	b.fits()
	b.accessible()
	b.look(1280, "light")

	t.Log("a search with a name becomes an alert, which says what it left out")
	b.visit("/search?q=john+moonsail+1990&charge=theft")
	b.visit(eval[string](b, `document.querySelector("a[href^='/search/alert']")?.getAttribute("href") || "/search/alert?q=john+moonsail+1990&charge=theft"`))
	b.until(`document.querySelector("#carried")?.textContent === "From your search: name, birth.Left out, because alerts don’t have these filters: charge."`)
	require.Equal(t, []string{"john moonsail", "1990"}, eval[[]string](b, `[document.querySelector("#name").value, document.querySelector("#born").value]`))
	b.accessible()

	t.Log("a service that is away is said, and asked again")
	b.visit("/search?q=moonsail")
	eval[bool](b, `(window.reached = fetch, window.fetch = () => Promise.reject(new TypeError("away")), true)`)
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), "john "))
	b.until(`document.querySelector("#trouble [role=alert]")?.textContent.includes("cannot be reached") && document.querySelector("#groups").hidden`)
	b.accessible()
	eval[bool](b, `(window.fetch = reached, document.querySelector("#trouble button").click(), true)`)
	b.until(`!document.querySelector("#trouble *") && !document.querySelector(".loading") && !!document.querySelector("#groups [data-result]")`)
	require.Equal(t, "/search?q=john+moonsail", b.path())

	t.Log("all filters go at once")
	b.visit("/search?charge=theft&bond_from=1000")
	b.until(`document.querySelector("#filters-clear:not([hidden])")`)
	b.do(chromedp.Focus(chromedp.CSS("#filters-clear")), chromedp.KeyEvent(kb.Enter))
	b.until(`location.search === "" && document.activeElement.id === "charge"`)
	b.clean()
}
