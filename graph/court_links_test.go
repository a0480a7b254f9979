package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// tried are n people who each have a booking, a corrections record and a court case that are linked.
func tried(n int) []any {
	var records, links []any
	for i := range n {
		name := fmt.Sprintf("MARLOWE, TESS %c%c", 'A'+i/26, 'A'+i%26)
		id, gdc, number := fmt.Sprintf("fulton-2026-%06d", i), fmt.Sprintf("10%05d", i), fmt.Sprintf("26-CR-%04d", i)
		records = append(records, testdb.Booking{ID: id, Name: name}, testdb.Offender{GdcID: gdc, Name: name}, testdb.Case{Number: number, Defendant: name})
		links = append(links, testdb.CourtLink{Case: number, Booking: id}, testdb.CourtLink{Case: number, Offender: gdc, Confidence: "high"})
	}
	return append(records, links...)
}

func TestLinksOfCasesCostOneStatementALevel(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tried(30)...)
	for _, c := range []struct {
		query      string
		statements int // list, links, a statement for each family at their other end; and so on below
		links      int
	}{
		{`{ courts(limit: 50) { records { people { confidence reasons case { caseNumber } rosterRecord { id } correctionsRecord { gdcId } } } } }`, 5, 60},
		{`{ roster(limit: 50) { records { courts { confidence case { caseNumber people { confidence correctionsRecord { gdcId } } } } } } }`, 5, 90},
		{`{ corrections(limit: 50) { records { courts { confidence case { caseNumber } rosterRecord { id } } } } }`, 3, 30},
	} {
		b.statements.take()
		data := b.data(t, c.query, nil)
		ran := b.statements.take()
		require.LessOrEqual(t, len(ran), c.statements, strings.Join(ran, "\n\n"))
		require.Equal(t, c.links, strings.Count(data, `"confidence":`), data)
	}
}

func TestACaseAndItsPeopleTellTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tried(1)...)
	require.JSONEq(t, `{"courtCases": [{"people": [
 {"confidence": "LOW", "reasons": ["surname agrees"], "rosterRecord": {"id": "fulton-2026-000000"}, "correctionsRecord": null},
 {"confidence": "HIGH", "reasons": ["surname agrees"], "rosterRecord": null, "correctionsRecord": {"gdcId": "1000000"}}]}]}`,
		b.data(t, `{ courtCases(caseNumber: "26-CR-0000") { people { confidence reasons rosterRecord { id } correctionsRecord { gdcId } } } }`, nil))
	require.JSONEq(t, `{"rosterRecord": {"courts": [{"confidence": "LOW", "case": {"caseNumber": "26-CR-0000"}, "correctionsRecord": null}]},
 "correctionsRecord": {"courts": [{"confidence": "HIGH", "case": {"caseNumber": "26-CR-0000"}, "rosterRecord": null}]}}`,
		b.data(t, `{ rosterRecord(id: "fulton-2026-000000") { courts { confidence case { caseNumber } correctionsRecord { gdcId } } }
 correctionsRecord(gdcId: "1000000") { courts { confidence case { caseNumber } rosterRecord { id } } } }`, nil))
}

func TestWithheldPeopleAndCasesAreNotLinked(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MARLOWE, TESS", Withheld: "juvenile"}, testdb.Booking{ID: "fulton-2026-000002", Name: "MARLOWE, TESS"},
		testdb.Offender{GdcID: "1000001", Name: "MARLOWE, TESS", Withheld: "vanished"},
		testdb.Case{Number: "A", Defendant: "MARLOWE, TESS"}, testdb.Case{Number: "B", Defendant: "MARLOWE, TESS", Withheld: "juvenile"},
		testdb.CourtLink{Case: "A", Booking: "fulton-2026-000001"}, testdb.CourtLink{Case: "A", Offender: "1000001"}, testdb.CourtLink{Case: "B", Booking: "fulton-2026-000002"})
	require.JSONEq(t, `{"courts": {"records": [{"caseNumber": "A", "people": []}]}, "roster": {"records": [{"id": "fulton-2026-000002", "courts": []}]}}`,
		b.data(t, `{ courts { records { caseNumber people { confidence } } } roster { records { id courts { confidence } } } }`, nil))
}
