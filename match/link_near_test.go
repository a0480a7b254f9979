package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

func TestTheBestOfWhatIsNearIsTheLink(t *testing.T) {
	t.Parallel()
	g, err := labelled.New("tables", 7, labelled.HeldOut)
	require.NoError(t, err)
	set := g.Linkage(2_000, 4_000)
	records := make([]match.Record, len(set.Records))
	for i, r := range set.Records {
		records[i] = record(r.ID, r.Name, r.Born)
	}
	linker := match.NewLinker(records)
	linked := 0
	for _, b := range set.Bookings {
		booking := booked(b.Name, b.Born)
		link := linker.Link(booking, true)
		require.Equal(t, link, match.Best(booking, linker.Near(booking), len(records)), b.Name)
		if link.RecordID != "" {
			linked++
		}
	}
	require.Positive(t, linked)
}
