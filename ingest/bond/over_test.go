package bond

import "testing"

// A bond that is over, was another one, or is denied by a word beside the amount is no amount.
func TestNoAmountOfABondThatIsOver(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"$500.00 WITHDRAWN", "$500.00 CANCELLED", "$500.00 EXPIRED", "$500.00 DISMISSED", "$500.00 REMOVED", "$500.00 LIFTED", "$500.00 SET ASIDE",
		"$500.00 RECALLED", "NOT $500.00", "WITHOUT $500.00", "PREVIOUS BOND $500.00", "PRIOR BOND $500.00",
	} {
		if b := Read(s); b.Cents != 0 || !b.Unread {
			t.Errorf("%q: %d cents, unread %v", s, b.Cents, b.Unread)
		}
	}
}
