package web_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models"
)

// chips finds the words for the state of a source in its row.
var chips = regexp.MustCompile(`<span class="chip[^"]*">([^<]+)</span>`)

// TestThePagesOfASourceNameTheCountyThatIsHeld feeds the common CSV with 20 counties of which one would release everybody.
func TestThePagesOfASourceNameTheCountyThatIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	held := ingesttest.HoldOne(t, b.store, time.Now().Truncate(time.Second))
	why := held.Name + ": " + ingesttest.WhyHeld
	at := func(county *models.County) string {
		return "/operator/sources/" + models.ScopeID(ingesttest.Common, county.Slug)
	}
	state := func(page, link string) string {
		// The trouble above the table links a held county too; the row of the table has the chip.
		_, table, found := strings.Cut(page, "<table")
		require.True(t, found, page)
		_, row, found := strings.Cut(table, `href="`+link+`"`)
		require.True(t, found, link)
		row, _, _ = strings.Cut(row, "</tr>")
		chip := chips.FindStringSubmatch(row)
		require.Len(t, chip, 2, row)
		return chip[1]
	}

	list := text(t, w.get("/operator/sources"))
	require.Equal(t, []string{"held", "held"}, []string{state(list, "/operator/sources/"+ingesttest.Common), state(list, at(held))})
	page := text(t, w.get("/operator/sources/"+ingesttest.Common))
	require.Contains(t, page, "held: "+why, "its last run says which county is held, and why")
	require.NotContains(t, page, `action="/operator/sources/`+ingesttest.Common+`/release"`, "the source itself is not held")
	n := 0
	for _, county := range b.store.Counties().All()[:ingesttest.Counties] {
		if county != held {
			n++
			require.Equal(t, "on schedule", state(page, at(county)), county.Slug)
		}
	}
	require.Equal(t, []any{"held", ingesttest.Counties - 1}, []any{state(page, at(held)), n}, "the others go on")
	require.Less(t, strings.Index(page, at(held)+`"`), strings.Index(page, at(b.store.Counties().All()[0])+`"`), "what needs somebody comes first")

	county := text(t, w.get(at(held)))
	require.Contains(t, county, "Held since")
	require.Contains(t, county, "I"+ingesttest.WhyHeld[1:]+".")
	require.Contains(t, county, `action="`+at(held)+`/release"`)
	require.Contains(t, county, `<a href="/operator/sources/`+ingesttest.Common+`">`)
	other := text(t, w.get(at(b.store.Counties().All()[0])))
	require.NotContains(t, other, "Held since")
}
