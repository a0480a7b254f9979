package value_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/value"
)

func FuzzMoney(f *testing.F) {
	for _, seed := range []string{"$1500.00 ( Bonding company: NONE )", "NO BOND", "$", "$0.00", "$1,2.3.4", "$99999999999999999999", "1e9", "$5.000.00", "$ 1 500.00", "$1.500", "1500.0000", "$1'500", "$1 ,500.00", "$500.00 2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cents, ok := value.Money(text)
		if ok {
			require.Positive(t, cents, "0 is no bond set, never an amount")
		}
	})
}

func FuzzBlotSSN(f *testing.F) {
	f.Add("SSN 123-45-6789 noted")
	f.Add("1123-45-67890")
	f.Add("SS#00000000000")
	f.Add("SSN 123456789123456789")
	f.Fuzz(func(t *testing.T, text string) {
		blotted := value.BlotSSN(text)
		require.Len(t, blotted, len(text))
		require.Equal(t, blotted, value.BlotSSN(blotted))
		require.Equal(t, utf8.ValidString(text), utf8.ValidString(blotted))
	})
}
