package ingest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// linkedCases is a court's list with a link of the case and of its hearing.
const linkedCases = `id: linked-cases
title: Cases with links
kind: courts
county: clarke
publish: {policy: delta, absence: nothing}
decode: {format: json}
fields:
  case: {court_type: {const: state}, number: number, defendant: name, offense: {const: DUI}, filed: {from: filed, layouts: [2006-01-02]}, status: {const: pending}, link: video}
  hearing: {court_type: {const: state}, number: number, date: {from: day, layouts: [2006-01-02]}, time: {from: clock, layouts: ['15:04']}, link: zoom}
`

func TestOnlyAddressesOfTheWebAreLinksOfHearings(t *testing.T) {
	t.Parallel()
	good := []string{"https://zoom.example/j/123?pwd=a%20b", "HTTP://court.example"}
	bad := []string{
		"javascript:alert(1)", "JavaScript://court.example/%0aalert(1)", "data:text/html,hello", "zoom.example/j/123", "//court.example/j", "https:///j", "Meeting 123 456",
		"https://court.example/j/1 or https://court.example/j/2", "mailto:clerk@court.example", "https://court.example/<b>",
	}
	for _, link := range append(good, bad...) {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(linkedCases))
			require.NoError(t, err)
			row := fmt.Sprintf(`[{"number": "26-CR-1", "name": "MOONSAIL, ORLA", "filed": "2026-03-01", "video": %q, "day": "2026-04-01", "clock": "09:30", "zoom": %q}]`, link, link)
			r := b.runSource(s, "a.json", row, b.now)
			require.Equal(t, []any{source.RunOK, 1, 0}, []any{r.State, r.New, r.Quarantined}, r.String())
			c, err := b.store.CourtCasesByNumber(t.Context(), "26-CR-1", nil, nil)
			require.NoError(t, err)
			hearings, err := b.store.HearingsOf(t.Context(), []int64{c[0].Key})
			require.NoError(t, err)
			kept := hearings[c[0].Key][0].ZoomLink
			if slices.Contains(good, link) {
				require.Equal(t, link, *kept)
				require.Equal(t, link, *c[0].HearingLink)
				require.Empty(t, r.Dropped)
				return
			}
			require.Nil(t, kept)
			require.Nil(t, c[0].HearingLink)
			require.Equal(t, map[string]int{"case.link: is no http or https address": 1, "hearing.link: is no http or https address": 1}, r.Dropped)
		})
	}
}
