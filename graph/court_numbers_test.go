package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestCasesAreFoundByTheBeginningOfTheirNumber(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Case{Number: "26-MA-0001", Defendant: "MARLOWE, TESS", Filed: "2026-01-02"},
		testdb.Case{Number: "26-MA-0002", Defendant: "MOONSAIL, WREN", Filed: "2026-01-03"},
		testdb.Case{Number: "26-MB-0003", Defendant: "MARLOWE, TESS", Filed: "2026-01-04"},
		testdb.Case{Number: "26-M%", Defendant: "MARLOWE, TESS", Filed: "2026-01-05"},
	)
	numbers := func(filter string) string {
		t.Helper()
		return b.data(t, `{ courts(filter: {`+filter+`}) { total records { caseNumber } } }`, nil)
	}
	require.JSONEq(t, `{"courts": {"total": 2, "records": [{"caseNumber": "26-MA-0002"}, {"caseNumber": "26-MA-0001"}]}}`, numbers(`caseNumberStart: " 26-MA"`))
	require.JSONEq(t, `{"courts": {"total": 1, "records": [{"caseNumber": "26-MA-0001"}]}}`, numbers(`caseNumberStart: "26-MA", name: "marlowe"`))
	require.JSONEq(t, `{"courts": {"total": 1, "records": [{"caseNumber": "26-M%"}]}}`, numbers(`caseNumberStart: "26-M%"`))
	require.JSONEq(t, `{"courts": {"total": 0, "records": []}}`, numbers(`caseNumberStart: "6-MA"`))
	require.Equal(t, "INVALID_PARAMETER", b.post(t, `{ courts(filter: {caseNumberStart: "26"}) { total } }`, nil).code(t))
}
