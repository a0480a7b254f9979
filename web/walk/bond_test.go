package walk

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAPageSaysInWordsWhatAJailWritesAboutABond reads the sample of a shipped source.
func TestAPageSaysInWordsWhatAJailWritesAboutABond(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	x.Run("ingest", "--source", "docket", "--file", filepath.Join("..", "..", "ingest", "sources", "docket", "samples", "page1.html"), "--at", "2026-03-09T12:00:00Z") // one of its rows is no booking
	root, door := x.Serve("Desk")
	b := newTab(t, root)
	b.joins(door)
	var found struct {
		Roster struct {
			Records []struct {
				ID            string
				ChargeDetails []struct{ BondText *string }
			}
		}
	}
	b.ask(`{ roster(filter: {name: "quillfeather"}) { records { id chargeDetails { bondText } } } }`, &found)
	require.Len(t, found.Roster.Records, 1)
	const raw = "** NOT READY ** No Amount Set *** HOLDS ***"
	require.Equal(t, raw, *found.Roster.Records[0].ChargeDetails[2].BondText, "programs get it as it came")
	b.visit("/roster/" + found.Roster.Records[0].ID)
	require.Equal(t, []string{"$1,000", "no bond; holds|as the source writes it: ** NOT READY ** No Bond *** HOLDS ***", "no amount set; holds|as the source writes it: " + raw},
		eval[[]string](b, `[...document.querySelectorAll("td[data-label=Bond]")].map(e => e.innerText.trim().replaceAll(/\n+/g, "|"))`))
	b.soundly()
	b.photographed("bonds")

	b.clean()
}
