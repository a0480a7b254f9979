package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// linked are n people who each have a booking, a corrections record, and a second booking elsewhere.
func linked(n int) []any {
	var bookings, offenders, links []any
	for i := range n {
		first, second, gdc := fmt.Sprintf("fulton-2026-%06d", i), fmt.Sprintf("cobb-2025-%06d", i), fmt.Sprintf("10%05d", i)
		name := fmt.Sprintf("MARLOWE, TESS %c%c", 'A'+i/26, 'A'+i%26)
		bookings = append(bookings, testdb.Booking{ID: first, Name: name}, testdb.Booking{ID: second, Name: name, County: "cobb", At: "2025-03-01T12:00:00-05:00"})
		offenders = append(offenders, testdb.Offender{GdcID: gdc, Name: name})
		links = append(links, testdb.Link{Booking: first, Offender: gdc}, testdb.Link{Booking: second, Offender: gdc})
	}
	return append(append(bookings, offenders...), links...)
}

func TestNestedQueryRunsOneStatementALevel(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(60)...)
	const query = `{ roster(filter: {county: "fulton"}, limit: 50) { total records { id
		gdcMatch { confidence reasons record { gdcId status countyRecords { rosterId county { name } bookingDate rosterUrl record { name } } } } } } }`
	b.statements.take()
	data := b.data(t, query, nil)
	ran := b.statements.take()

	require.Len(t, ran, 4, strings.Join(ran, "\n\n"))
	require.Equal(t, 50, strings.Count(data, `"gdcMatch":{`))
	require.Equal(t, 100, strings.Count(data, `"rosterUrl":"`+baseURL+`/roster/`))
	require.Contains(t, data, `"total":60`)
}

func TestBackFromCountyRecordsToTheirMatchesCostsOneStatementMore(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(30)...)
	b.statements.take()
	data := b.data(t, `{ corrections(limit: 30) { records { countyRecords { record { gdcMatch { gdcId } source { id state } } } } } }`, nil)
	ran := b.statements.take()

	require.Len(t, ran, 4, strings.Join(ran, "\n\n")) // list, county records, links, sources
	require.Equal(t, 60, strings.Count(data, `"gdcMatch":{`))
}

func TestChildrenOfCasesAreReadForTheWholeList(t *testing.T) {
	t.Parallel()
	var cases []any
	for i := range 40 {
		cases = append(cases, testdb.Case{
			Number: fmt.Sprintf("26-CR %03d/A", i), Defendant: "OKAFOR, LENA",
			Hearings:     []testdb.Hearing{{Date: "2026-04-01", Time: "09:30"}, {Date: "2026-05-01"}},
			Dispositions: []testdb.Disposition{{Date: "2026-05-02", Outcome: "PLEA"}},
		})
	}
	b := setup(t, nil, cases...)
	b.statements.take()
	data := b.data(t, `{ courts(limit: 40) { records { caseNumber hearings { date time } dispositions { outcome } } } }`, nil)
	ran := b.statements.take()

	require.Len(t, ran, 3, strings.Join(ran, "\n\n"))
	require.Equal(t, 80, strings.Count(data, `"date":"2026-`))
	require.Equal(t, 40, strings.Count(data, `"time":null`))
}

func TestAliasesOfOneListShareNothingButStayBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(10)...)
	b.statements.take()
	b.data(t, `{ a: roster(limit: 10) { records { gdcMatch { gdcId } } } b: roster(limit: 10, offset: 10) { records { gdcMatch { gdcId } } } }`, nil)
	require.LessOrEqual(t, len(b.statements.take()), 4)
}
