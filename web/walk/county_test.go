package walk

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// choosesARange looks at a county's figures of a year, by weeks, and at what the link saves.
func choosesARange(t *testing.T, b *tab) {
	t.Helper()
	b.look(1280, "light")
	b.visit(shownPages(b)["county"])
	b.until(`!!document.querySelector(".chart[aria-label^='Bookings and releases of each day']")`)
	b.do(chromedp.Click(chromedp.CSS("nav[aria-label=Range] a[href='?days=365']")))
	b.until(`location.search === "?days=365" && !!document.querySelector(".chart[aria-label^='Bookings and releases of each week']")`)
	b.soundly()
	saved := strings.Split(eval[string](b, `decodeURIComponent(document.querySelector("a[download]").getAttribute("href"))`), "\r\n")
	require.Equal(t, "data:text/csv;charset=utf-8,day,booked,released,held,median_bond_of_week,median_hours_held_of_week", saved[0])
	require.Len(t, saved, 367, "a head, 365 days, and the end of the last line")
	b.do(chromedp.MouseEvent("mouseMoved", eval[float64](b, `(() => { const r = document.querySelector(".chart").getBoundingClientRect(); return r.left + r.width / 2; })()`), eval[float64](b, `document.querySelector(".chart").getBoundingClientRect().top + 20`)))
	b.until(`document.querySelector(".chart .mark").getAttribute("visibility") === "visible"`)
}
