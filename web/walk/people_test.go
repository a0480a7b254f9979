package walk

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// splitsAPerson reports a record by keyboard alone, from the page of its booking, and decides about it as an operator.
func splitsAPerson(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/")
	linked := eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"{ roster(limit: 200) { records { id gdcMatch { confidence reasons } } } }"})}).then(r => r.json())
		.then(r => r.data.roster.records.find(b => b.gdcMatch && b.gdcMatch.confidence === "HIGH" && b.gdcMatch.reasons.includes("birth date agrees")).id)`)
	b.visit("/roster/" + linked)
	b.tabTo("a[href^='/people/']")
	b.enters(kb.Enter)
	require.True(t, strings.HasPrefix(b.path(), "/people/"))
	person := b.path()
	text := b.text()
	for _, expected := range []string{"Jail bookings", "State corrections", "high confidence", "birth date agrees", "Your alerts", "Not the same person"} {
		require.Contains(t, text, expected)
	}
	require.NotRegexp(t, `undefined|\bnull\b|NaN|\[object`, text)
	stays := eval[int](b, `document.querySelectorAll("#stays ~ ol > li").length`)

	const report = "section:has(> #stays) li:last-child details.confirm"
	b.opens(report+" summary", report+" input[name=note]")
	b.accessible()
	b.look(360, "light")
	b.fits()
	b.look(1280, "light")
	b.do(chromedp.KeyEvent("another middle name"))
	b.tabTo(report + " button")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "Nothing changes on this page until an operator decides.")
	require.Equal(t, stays, eval[int](b, `document.querySelectorAll("#stays ~ ol > li").length`))
	b.accessible()

	b.visit("/operator/people")
	require.Contains(t, b.text(), "another middle name")
	b.soundly()
	b.opens(".bar details:first-child summary", ".bar details:first-child input[name=note]")
	b.do(chromedp.KeyEvent("the jail says so"))
	b.tabTo(".bar details:first-child button")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "kept apart from the person. You can undo this")
	b.accessible()
	b.visit(person)
	require.Contains(t, []int{stays - 1, 1}, eval[int](b, `document.querySelectorAll("#stays ~ ol > li").length`), "it left, or is by itself")

	t.Log("the people of a name are found by keyboard")
	b.visit("/people")
	b.write("#name", "smith"+kb.Enter)
	b.until(`document.querySelectorAll(".result").length > 2`)
	b.soundly()
}
