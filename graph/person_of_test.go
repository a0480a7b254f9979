package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABookingHasItsPerson(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, person()...)
	require.JSONEq(t, `{"roster": {"records": [
		{"id": "fulton-2026-000001", "person": {"id": "gdc-1000412", "stays": [{"id": "fulton-2026-000001"}, {"id": "cobb-2025-000002"}]}},
		{"id": "cobb-2025-000003", "person": {"id": "cobb-2025-000003", "stays": [{"id": "cobb-2025-000003"}]}},
		{"id": "cobb-2025-000002", "person": {"id": "gdc-1000412", "stays": [{"id": "fulton-2026-000001"}, {"id": "cobb-2025-000002"}]}}]}}`,
		b.data(t, `{ roster(filter: {name: "moonsail"}) { records { id person { id stays { id } } } } }`, nil), "a name alone joins nothing")
	require.JSONEq(t, `{"rosterRecord": {"person": {"id": "gdc-1000412"}}}`, b.data(t, `{ rosterRecord(id: "cobb-2025-000002") { person { id } } }`, nil))
}

func TestPeopleOfAListAreReadForTheWholeList(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(40)...)
	const query = `{ roster(filter: {name: "marlowe"}, limit: %d) { records { id person { id status stays { id charges gdcMatch { confidence } person { id } } sentences { gdcId } hits { id } } } } }`
	count := func(limit int) int {
		b.statements.take()
		data := b.data(t, fmt.Sprintf(query, limit), nil)
		require.Equal(t, limit, strings.Count(data, `"sentences":[{`))
		return len(b.statements.take())
	}
	require.Equal(t, count(4), count(40), "a longer list costs no statement more")
}

func TestPeopleOfAListCostAsPeopleDo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const query = `{ roster(limit: 200) { records { id person { stays { person { stays { person { id stays { id } } } } } } } } }`
	a := b.post(t, query, nil)
	require.Equal(t, "LIMIT_EXCEEDED", a.code(t))
	require.Empty(t, b.post(t, `{ roster(limit: 200) { records { id name charges person { id status stays { id name bookingDate } } } } }`, nil).Errors)
}
