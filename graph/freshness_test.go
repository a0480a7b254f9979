package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// A run that ends between the two reads makes the records newer than the label, and never the label newer than the records.
func TestFreshnessIsReadBeforeTheRecords(t *testing.T) {
	t.Parallel()
	for list, table := range map[string]string{"roster": "published_bookings", "courts": "published_cases", "corrections": "published_corrections"} {
		for name, query := range map[string]string{
			"first":         `{ ` + list + ` { freshness { asOf } records { id } } }`,
			"last":          `{ ` + list + ` { records { id } freshness { asOf } } }`,
			"in a fragment": `{ ` + list + ` { records { id } ... { freshness { asOf } } } }`,
		} {
			b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE"}, testdb.Offender{GdcID: "1000412", Name: "DOE, JANE"})
			b.statements.take()
			b.data(t, query, nil)
			ran := b.statements.take()
			sources := slices.IndexFunc(ran, func(s string) bool { return strings.Contains(s, "from sources s") })
			records := slices.IndexFunc(ran, func(s string) bool { return strings.Contains(s, table) })
			require.GreaterOrEqual(t, sources, 0, "%s %s: %v", list, name, ran)
			require.Greater(t, records, sources, "%s %s", list, name)
		}
	}
}
