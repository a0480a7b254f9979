package graph_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestChangesHoldRecordsAndTombstones(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, append(linked(20), testdb.Case{Number: "26-CR-1", Defendant: "OKAFOR, LENA"}, testdb.Case{Number: "26-CR-2", Defendant: "OKAFOR, LENA"})...)
	exec := func(sql string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`update generations set gen = 1`)
	type page struct {
		Changes []struct {
			Family, Kind, ID string
			MergedInto       *string
			Record           *struct{ Type, Name, CaseNumber string }
		}
		PageInfo struct {
			EndCursor   string
			HasNextPage bool
		}
	}
	ask := func(args string) page {
		t.Helper()
		var out struct{ Changes page }
		require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ changes`+args+` { changes { family kind id mergedInto
			record { Type: __typename ... on RosterRecord { name gdcMatch { gdcId } } ... on CourtCase { caseNumber hearings { date } } ... on CorrectionsRecord { name countyRecords { rosterId } } } }
			pageInfo { endCursor hasNextPage } } }`, nil)), &out))
		return out.Changes
	}
	b.statements.take()
	all := ask("")
	ran := b.statements.take()
	require.LessOrEqual(t, len(ran), 14, strings.Join(ran, "\n\n")) // three families, their records, and what hangs below these
	require.Len(t, all.Changes, 62)
	require.False(t, all.PageInfo.HasNextPage)
	kinds := map[string]int{}
	for _, c := range all.Changes {
		require.Equal(t, "CHANGED", c.Kind)
		kinds[c.Family+" "+c.Record.Type]++
	}
	require.Equal(t, map[string]int{"ROSTER RosterRecord": 40, "COURTS CourtCase": 2, "CORRECTIONS CorrectionsRecord": 20}, kinds)
	require.True(t, ask("(first: 61)").PageInfo.HasNextPage)
	few := ask("(first: 2, families: [CORRECTIONS, COURTS])")
	require.Equal(t, "26-CR-2", few.Changes[1].Record.CaseNumber)

	exec(`update generations set gen = 2; update court_cases set withheld = 'restricted', gen = 2 where case_number = '26-CR-1';
		update corrections_records set merged_into = (select cid from corrections_records where gdc_id = '1000001'), gen = 2 where gdc_id = '1000000'`)
	next := ask(`(after: "` + all.PageInfo.EndCursor + `")`)
	require.Len(t, next.Changes, 2)
	sealed, merged := next.Changes[0], next.Changes[1]
	require.Equal(t, []string{"COURTS", "GONE"}, []string{sealed.Family, sealed.Kind})
	require.Equal(t, all.Changes[40].ID, sealed.ID)
	require.Nil(t, sealed.Record)
	require.Nil(t, sealed.MergedInto)
	require.Equal(t, []string{"GONE", "gdc-1000000", "gdc-1000001"}, []string{merged.Kind, merged.ID, *merged.MergedInto})

	exec(`update generations set forgotten = 2`)
	said := b.post(t, `{ changes(after: "`+all.PageInfo.EndCursor+`") { changes { id } } }`, nil).body
	require.Contains(t, said, `"code":"CURSOR_EXPIRED"`)
	require.Contains(t, said, "begin again without after")
	require.Contains(t, b.post(t, `{ changes(first: 1001) { changes { id } } }`, nil).body, "first must be between 1 and 1000")
	require.Contains(t, b.post(t, `{ changes(after: "`+all.PageInfo.EndCursor+`", families: [ROSTER]) { changes { id } } }`, nil).body, `"field":"families"`)
	require.Contains(t, b.post(t, `{ changes(families: []) { changes { id } } }`, nil).body, "families must name one of ROSTER, COURTS and CORRECTIONS")
}
