package walk

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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
	require.Contains(t, b.text(), "Booked and released, week by week")
	require.Contains(t, b.text(), "A lighter bar is only part of a week.")
	require.Regexp(t, `(people|person) released or no longer listed since`, b.text(), "the figure says its period")
	saved := strings.Split(eval[string](b, `decodeURIComponent(document.querySelector("a[download]").getAttribute("href"))`), "\r\n")
	require.Equal(t, "data:text/csv;charset=utf-8,day,booked,released_or_no_longer_listed,held,median_bond_of_week,median_hours_held_of_week,so_far", saved[0])
	require.Len(t, saved, 367, "a head, 365 days, and the end of the last line")
	require.Regexp(t, `^[-0-9]{10},,,,,,no$`, saved[1], "a year ago the jail was not observed")
	require.Regexp(t, `,no$`, saved[364])
	for _, line := range saved[1:366] {
		require.Regexp(t, `,\d*(\.\d\d?)?,\d*(\.\d)?,(no|yes)$`, line, "no more decimals than are meant")
	}
	require.Regexp(t, `,yes$`, saved[365], "today is not over")
	require.Regexp(t, `, so far$`, eval[string](b, `document.querySelector("details.data tbody tr td").textContent`))
	b.do(chromedp.MouseEvent("mouseMoved", eval[float64](b, `(() => { const r = document.querySelector(".chart").getBoundingClientRect(); return r.left + r.width / 2; })()`), eval[float64](b, `document.querySelector(".chart").getBoundingClientRect().top + 20`)))
	b.until(`document.querySelector(".chart .mark").getAttribute("visibility") === "visible"`)
	sharesACursor(t, b)
}

// sharesACursor goes from day to day by keyboard in one chart, and reads what all say.
func sharesACursor(t *testing.T, b *tab) {
	t.Helper()
	b.visit(shownPages(b)["county"])
	b.until(`document.querySelectorAll(".chart").length === 4`)
	said := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll(".readout")].map(e => e.textContent.replace(/:.*/, ""))`)
	}
	for _, line := range said() {
		require.Regexp(t, `, so far$`, line, "today is not over")
	}
	require.GreaterOrEqual(t, eval[int](b, `document.querySelectorAll(".chart .so-far").length`), 3, "lines, and points or bars")
	b.tabTo(".chart")
	b.press(kb.ArrowLeft, `document.querySelectorAll(".chart .mark[visibility=visible]").length === 4`)
	days := said()
	require.NotContains(t, days[0], "so far")
	require.Len(t, slices.Compact(days), 1, "all mark the same day")
	require.Contains(t, eval[string](b, `document.activeElement.getAttribute("aria-valuetext")`), days[0])
	b.accessible()
	eval[bool](b, "document.activeElement.blur() === undefined")
	require.Equal(t, 0, eval[int](b, `document.querySelectorAll(".chart .mark[visibility=visible]").length`))
}
