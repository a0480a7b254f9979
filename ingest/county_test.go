package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// countyRows reads rows that name their county with a document, and returns the counties that were taken and what was not.
func countyRows(t *testing.T, document string, counties ...string) (taken []any, bad []string) {
	t.Helper()
	s, err := ingest.Parse([]byte(document))
	require.NoError(t, err)
	var rows strings.Builder
	rows.WriteString("id,name,booked,bond,county\n")
	for i, county := range counties {
		rows.WriteString(string(rune('a'+i)) + ",\"MOONSAIL, ORLA\",2026-03-08 10:00,$1,\"" + county + "\"\n")
	}
	p, err := s.Preview("x.csv", []byte(rows.String()+"#end\n"), someCounties(), time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	for _, row := range p.Rows {
		taken = append(taken, row["county"])
	}
	return taken, p.Bad
}

func TestRowsNameTheirCountyByAnySpelling(t *testing.T) {
	t.Parallel()
	document := strings.NewReplacer("%s", "counties", "%d", "1", "county: ben-hill\n", "", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, county]",
		"bond: bond}", "bond: bond, county: county}").Replace(rosterDocument)
	taken, bad := countyRows(t, document, "Baldwin County, GA", "ben_hill", "athens-clarke", "Clark", "Wonderland")
	require.Equal(t, []any{"baldwin", "ben-hill", "clarke"}, taken)
	require.Len(t, bad, 2)
	require.Contains(t, bad[0], `is not a county of Georgia; did you mean "clarke"?`)
	require.Contains(t, bad[1], "is not a county of Georgia in sample row")

	t.Log("a document of one county refuses the rows of others, and takes those that name none")
	asserted := strings.Replace(document, "kind: roster\n", "kind: roster\ncounty: ben-hill\n", 1)
	taken, bad = countyRows(t, asserted, "Ben Hill", "", "Baldwin")
	require.Equal(t, []any{"ben-hill", "ben-hill"}, taken)
	require.Len(t, bad, 1)
	require.Contains(t, bad[0], "names another county than the document")
}
