package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// A case without a day of filing stands in the list where the day that it shows belongs, and cursors go on behind it.
func TestACaseWithoutADayOfFilingShowsAndSortsByTheEarliestDayKnown(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Case{Number: "1", Defendant: "MARLOWE, TESS", Filed: "2026-01-02", BailCents: 250050},
		testdb.Case{Number: "2", Defendant: "MOONSAIL, WREN", Filed: "2026-01-03", Inferred: true},
		testdb.Case{Number: "3", Defendant: "MARLOWE, TESS", Filed: "2026-01-04"},
	)
	const fields = `records { caseNumber filedDate filedDateInferred bailAmount } pageInfo { endCursor }`
	var first struct {
		Courts struct {
			Records  []map[string]any
			PageInfo struct{ EndCursor string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ courts(limit: 2) { `+fields+` } }`, nil)), &first))
	require.Equal(t, []map[string]any{
		{"caseNumber": "3", "filedDate": "2026-01-04", "filedDateInferred": false, "bailAmount": nil},
		{"caseNumber": "2", "filedDate": "2026-01-03", "filedDateInferred": true, "bailAmount": nil},
	}, first.Courts.Records)
	require.Contains(t, b.data(t, `query($after: String) { courts(after: $after) { `+fields+` } }`, map[string]any{"after": first.Courts.PageInfo.EndCursor}),
		`"records":[{"caseNumber":"1","filedDate":"2026-01-02","filedDateInferred":false,"bailAmount":2500.5}]`)
}
