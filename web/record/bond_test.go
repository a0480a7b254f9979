package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatJailsWriteAboutABondIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	for text, said := range map[string]string{
		"** NOT READY ** No Amount Set *** HOLDS ***": "no amount set; holds", "** NOT READY ** No Bond *** HOLDS ***": "no bond; holds",
		"*** READY *** Cash: $ 500.00 Fees: $ 35.00": "cash $500; fees $35", "Surety: $1,500.50": "surety $1,500.50",
		"** NOT READY **": "not ready", "NO BOND": "no bond", "Denied": "denied", "Cash or Surety": "cash or surety", "Cash / Surety": "cash or surety",
		"SURETY": "surety", "NON-BONDABLE": "no bond",
		// Half of what a jail says is worse than its own words.
		"HOLD FOR COUNTY 12": "", "Bond last updated 1/1/1900": "", "No Bond until seen by judge": "", "$": "", "": "", "NO BOND NO BOND": "",
	} {
		require.Equal(t, said, bondWords(text).String(), text)
	}
}

func TestTheBondOfAChargeIsItsAmountAndWhatIsKnownBesideIt(t *testing.T) {
	t.Parallel()
	cents := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		cents          *int64
		text           *string
		sum, said, raw string
	}{
		{nil, nil, "", "", ""},
		{nil, new(""), "", "", ""},
		{cents(100_000), nil, "$1,000", "", ""},
		{cents(0), nil, "$0", "", ""},
		{cents(100_000), new("Surety"), "$1,000", "surety", ""},
		{nil, new("*** HOLDS ***"), "", "holds", "*** HOLDS ***"},
		{nil, new("Hold for county 12"), "", "Hold for county 12", ""},
	} {
		b := bondOf(c.cents, c.text)
		require.Equal(t, []string{c.sum, c.said, c.raw}, []string{b.Sum, b.Said.String(), b.Raw})
		require.Equal(t, c.sum == "" && c.said == "", b.None())
	}
}
