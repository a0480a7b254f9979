package bond_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/ingest/bond"
	"rollcall/ingest/value"
)

// TestMoneyAloneIsReadAsBesideWords holds the reading of texts without words to that of all others.
func TestMoneyAloneIsReadAsBesideWords(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"$", ".", ",", " ", "0", "1", "5", "9", "00", "500", "000", ".5", "$ 1", "1,000", ".00"})
	rapid.Check(t, func(t *rapid.T) {
		text := value.Squeeze(strings.Join(rapid.SliceOfN(piece, 1, 8).Draw(t, "text"), ""))
		if !bond.Blank(text) {
			require.Equal(t, bond.ReadPlain(text), bond.Read(text), "%q", text)
		}
	})
}

// BenchmarkRead shows what a text costs, by its form.
func BenchmarkRead(b *testing.B) {
	for _, text := range []string{"500", "$2,500.00", "CASH ONLY 2,500", "$500.00 $500 G.S BND*8/18 $500 BOND @ ARREST Bond last updated 8/18/2017 10:16:19 AM"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				bond.Read(text)
			}
		})
	}
}
