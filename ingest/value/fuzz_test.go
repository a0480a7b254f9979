package value_test

import (
	"testing"

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
