package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// person is a booking, a state record and two cases of one person, and a booking that may be the person's.
func person() []any {
	return []any{
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", DOB: "1990-02-03"},
		testdb.Booking{ID: "cobb-2025-000002", Name: "MOONSAIL, WREN A", County: "cobb", DOB: "1990-02-03", At: "2025-03-01T12:00:00-05:00", Released: "2025-03-02T12:00:00-05:00"},
		testdb.Booking{ID: "cobb-2025-000003", Name: "MOONSAIL, WREN", County: "cobb", At: "2025-04-01T12:00:00-05:00"},
		testdb.Offender{GdcID: "1000412", Name: "MOONSAIL, WREN ADA", DOB: "1990-02-03"},
		testdb.Case{Number: "26-CR-1", Defendant: "MOONSAIL, WREN", Hearings: []testdb.Hearing{{Date: "2026-04-01", Time: "09:30"}}},
		testdb.Link{Booking: "fulton-2026-000001", Offender: "1000412"},
		testdb.Link{Booking: "cobb-2025-000003", Offender: "1000412", Confidence: "low"},
		testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000001", Confidence: "high"},
	}
}

func TestAPersonHasAllRecords(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, person()...)
	const query = `query($id: ID!) { person(id: $id) { id name otherNames dob birthYear status nextHearing cut
		stays { id } cases { caseNumber } sentences { gdcId } links { confidence reasons }
		possible { from confidence rosterRecord { id name } courtCase { id } correctionsRecord { id } } hits { id } } }`
	const want = `{"person": {"id": "gdc-1000412", "name": "MOONSAIL, WREN ADA", "otherNames": ["MOONSAIL, WREN A", "MOONSAIL, WREN"], "dob": "1990-02-03", "birthYear": 1990,
		"status": "BOOKED", "nextHearing": "2026-04-01T09:30:00-04:00", "cut": false,
		"stays": [{"id": "fulton-2026-000001"}, {"id": "cobb-2025-000002"}], "cases": [{"caseNumber": "26-CR-1"}], "sentences": [{"gdcId": "1000412"}],
		"links": [{"confidence": "HIGH", "reasons": []}, {"confidence": "HIGH", "reasons": ["surname agrees"]}, {"confidence": "HIGH", "reasons": ["surname agrees", "first name agrees", "middle name on one side only", "birth date agrees"]}],
		"possible": [{"from": "gdc-1000412", "confidence": "LOW", "rosterRecord": {"id": "cobb-2025-000003", "name": "MOONSAIL, WREN"}, "courtCase": null, "correctionsRecord": null}], "hits": []}}`
	for _, id := range []string{"fulton-2026-000001", "cobb-2025-000002", "gdc-1000412", "1000412"} {
		require.JSONEq(t, want, b.data(t, query, map[string]any{"id": id}), id)
	}
	require.Contains(t, b.data(t, `{ person(id: "cobb-2025-000003") { id possible { correctionsRecord { gdcId } } } }`, nil), `"id":"cobb-2025-000003"`, "a name joins nothing")
	require.JSONEq(t, `{"person": null}`, b.data(t, `{ person(id: "fulton-2026-999999") { id } }`, nil))
}

func TestPeopleAreReadForTheWholeList(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(40)...)
	const query = `{ people(name: "marlowe", limit: %d) { people { id stays { id gdcMatch { confidence } } sentences { gdcId courts { confidence } } hits { id } } pageInfo { hasNextPage endCursor } } }`
	count := func(limit int) int {
		b.statements.take()
		data := b.data(t, fmt.Sprintf(query, limit), nil)
		require.Equal(t, limit, strings.Count(data, `"sentences":[{`))
		return len(b.statements.take())
	}
	require.Equal(t, count(4), count(40), "a longer list costs no statement more")
	for _, limit := range []int{0, models.MaxPeople + 1} {
		require.Contains(t, b.post(t, fmt.Sprintf(query, limit), nil).body, "limit must be between 1 and 50")
	}
}

func TestPeopleCostWhatTheirRecordsDo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const record = `{ gdcMatch { record { countyRecords { record { courts { case { hearings { judge } people { reasons } } } } } } } }`
	const deep = `{ people(name: "marlowe", limit: 50) { people { stays ` + record + ` possible { rosterRecord ` + record + ` } hits { record ` + record + ` }
		sentences { countyRecords { record ` + record + ` } courts { case { people { rosterRecord ` + record + ` } } } } cases { people { rosterRecord ` + record + ` } } } } }`
	a := b.post(t, deep, nil)
	require.Equal(t, "LIMIT_EXCEEDED", a.code(t))
	require.Empty(t, b.post(t, strings.ReplaceAll(deep, "limit: 50", "limit: 20"), nil).Errors)
}
