package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// change writes a version row of a record, as a run of the ingest does.
func (b *bundle) change(t *testing.T, family, key, at, field string, before, after *string) {
	t.Helper()
	source := map[string]string{"roster": testdb.Jail, "courts": testdb.Court, "corrections": testdb.Prison}[family]
	find := map[string]string{
		"roster": "select rid from bookings where id = $2", "courts": "select id from court_cases where case_number = $2", "corrections": "select cid from corrections_records where gdc_id = $2",
	}[family]
	_, err := b.db.Pool.Exec(t.Context(), `insert into record_changes (family, record, at, source_id, field, before, after)
 values ($1, (`+find+`), $3::text::timestamptz, $4, $5, $6, $7)`, family, key, at, source, field, before, after)
	require.NoError(t, err)
}

func TestFiftyHistoriesCostOneStatement(t *testing.T) {
	t.Parallel()
	records := linked(50)
	for i := range 50 {
		records = append(records, testdb.Case{Number: fmt.Sprintf("26-CR-%d", i), Defendant: "DOE, JANE"})
	}
	b := setup(t, nil, records...)
	for i := range 50 {
		b.change(t, "roster", fmt.Sprintf("fulton-2026-%06d", i), "2026-03-10T14:00:00Z", "bond_cents", new("50000"), new("250050"))
		b.change(t, "courts", fmt.Sprintf("26-CR-%d", i), "2026-03-10T14:00:00Z", "status", new("pending"), new("closed"))
		b.change(t, "corrections", fmt.Sprintf("10%05d", i), "2026-03-10T14:00:00Z", "institution", nil, new("LEE"))
	}
	b.data(t, `{ sources { id } }`, nil)
	for list, c := range map[string]struct{ query, change string }{
		"roster":      {`roster(filter: {county: "fulton"}, limit: 50)`, `{"at":"2026-03-10T14:00:00Z","source":{"id":"jail"},"field":"bondAmount","before":"500.00","after":"2500.50"}`},
		"courts":      {`courts(limit: 50)`, `{"at":"2026-03-10T14:00:00Z","source":{"id":"court"},"field":"status","before":"PENDING","after":"CLOSED"}`},
		"corrections": {`corrections(limit: 50)`, `{"at":"2026-03-10T14:00:00Z","source":{"id":"prison"},"field":"institution","before":null,"after":"LEE"}`},
	} {
		b.statements.take()
		data := b.data(t, `{ `+c.query+` { records { firstSeen lastSeen lastChange history { at source { id } field before after } } } }`, nil)
		ran := b.statements.take()
		ran = without(ran, "from sources s\norder by id")           // read once a second
		require.Len(t, ran, 3, list+"\n"+strings.Join(ran, "\n\n")) // the list, when its records were seen, their histories
		require.Equal(t, 50, strings.Count(data, c.change), data)
	}
}

func TestARecordIsLastSeenWhenItsSourceListsItUnchanged(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE", Changed: "2026-03-01T00:00:00Z"}, testdb.Offender{GdcID: "1000412", Name: "DOE, JANE", Changed: "2026-03-01T00:00:00Z"},
		testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE", Changed: "2026-03-01T00:00:00Z", Hearings: []testdb.Hearing{{Date: "2026-04-02", Time: "09:30"}}})
	_, err := b.db.Pool.Exec(t.Context(), `update sources set last_complete = '2026-03-08T01:00:00Z'`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update hearings set snapshot_at = '2026-03-07T01:00:00Z'`)
	require.NoError(t, err)
	const query = `query($at: DateTime) { rosterRecord(id: "fulton-2026-000001", asOf: $at) { lastSeen } correctionsRecord(gdcId: "1000412", asOf: $at) { lastSeen } courtCases(caseNumber: "26-CR-1", asOf: $at) { lastSeen } }`
	told := func(roster, corrections, courts string) string {
		return fmt.Sprintf(`{"rosterRecord": {"lastSeen": %q}, "correctionsRecord": {"lastSeen": %q}, "courtCases": [{"lastSeen": %q}]}`, roster, corrections, courts)
	}
	require.JSONEq(t, told("2026-03-08T01:00:00Z", "2026-03-08T01:00:00Z", "2026-03-07T01:00:00Z"), b.data(t, query, nil))
	_, err = b.db.Pool.Exec(t.Context(), `insert into runs (source_id, state, started_at, snapshot_at, complete) select id, 'ok', read, spoke::timestamptz, true from sources,
 (values ('2026-03-04T12:00:00Z'::timestamptz, '2026-03-04T01:00:00Z'), ('2026-03-06T12:00:00Z', '2026-03-04T02:00:00Z')) r (read, spoke)`)
	require.NoError(t, err)
	require.JSONEq(t, told("2026-03-04T01:00:00Z", "2026-03-04T01:00:00Z", "2026-03-01T00:00:00Z"), b.data(t, query, map[string]any{"at": "2026-03-05T00:00:00Z"}), "nobody knew then what came or was read later")
	b.statements.take()
	b.data(t, `{ roster { records { id name firstSeen lastChange } } }`, nil)
	require.Len(t, b.statements.take(), 1, "who does not ask pays nothing")
}

// without leaves out the statements that hold a text.
func without(ran []string, text string) (out []string) {
	for _, s := range ran {
		if !strings.Contains(s, text) {
			out = append(out, s)
		}
	}
	return out
}

func TestRecordsAreShownAsTheyWere(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE", BondCents: 250050, Agency: "GBI", Changed: "2026-03-01T00:00:00Z", Released: "2026-03-05T10:00:00Z"},
		testdb.Offender{GdcID: "1000412", Name: "DOE, JANE", Institution: "HAYS", Changed: "2026-03-01T00:00:00Z"},
		testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE", Status: "closed", Changed: "2026-03-01T00:00:00Z", Hearings: []testdb.Hearing{{Date: "2026-04-02", Time: "09:30", Judge: "Hon. B"}}},
	)
	b.change(t, "courts", "26-CR-1", "2026-03-03T00:00:00Z", "hearing 0", new(`{"startsAt": "2026-04-01T17:00:00.000000Z", "date": "2026-04-01", "time": "13:00", "judge": "Hon. A"}`),
		new(`{"startsAt": "2026-04-02T13:30:00.000000Z", "date": "2026-04-02", "time": "09:30", "judge": "Hon. B"}`))
	b.change(t, "roster", "fulton-2026-000001", "2026-03-03T00:00:00Z", "charge_details", new(`[{"description": "THEFT", "statute": "16-8-2", "bondAmount": "250.50"}]`), nil)
	b.change(t, "roster", "fulton-2026-000001", "2026-03-03T00:00:00Z", "bond_cents", nil, new("250050"))
	b.change(t, "roster", "fulton-2026-000001", "2026-03-05T12:00:00Z", "agency", new("GSP"), new("GBI"))
	b.change(t, "roster", "fulton-2026-000001", "2026-03-05T12:00:00Z", "released_at", nil, new("2026-03-05T10:00:00.000000Z"))
	b.change(t, "corrections", "1000412", "2026-03-03T00:00:00Z", "institution", new("LEE"), new("HAYS"))
	b.change(t, "courts", "26-CR-1", "2026-03-03T00:00:00Z", "status", new("pending"), new("closed"))

	const query = `query($at: DateTime) { rosterRecord(id: "fulton-2026-000001", asOf: $at) { status bondAmount agency releaseDate lastChange chargeDetails { description statute bondAmount } }
 correctionsRecord(gdcId: "1000412", asOf: $at) { institution } courtCases(caseNumber: "26-CR-1", asOf: $at) { status nextHearing hearings { date time judge } } }`
	for at, want := range map[string]string{
		"2026-02-28T23:59:59Z": `{"rosterRecord":null,"correctionsRecord":null,"courtCases":[]}`,
		"2026-03-02T00:00:00Z": `{"rosterRecord":{"status":"BOOKED","bondAmount":null,"agency":"GSP","releaseDate":null,"lastChange":"2026-03-01T00:00:00Z","chargeDetails":[{"description":"THEFT","statute":"16-8-2","bondAmount":250.5}]},
 "correctionsRecord":{"institution":"LEE"},"courtCases":[{"status":"PENDING","nextHearing":"2026-04-01T13:00:00-04:00","hearings":[{"date":"2026-04-01","time":"13:00","judge":"Hon. A"}]}]}`,
		"2026-03-03T00:00:00Z": `{"rosterRecord":{"status":"BOOKED","bondAmount":2500.5,"agency":"GSP","releaseDate":null,"lastChange":"2026-03-03T00:00:00Z","chargeDetails":[]},
 "correctionsRecord":{"institution":"HAYS"},"courtCases":[{"status":"CLOSED","nextHearing":"2026-04-02T09:30:00-04:00","hearings":[{"date":"2026-04-02","time":"09:30","judge":"Hon. B"}]}]}`,
		"2026-03-06T00:00:00Z": `{"rosterRecord":{"status":"RELEASED","bondAmount":2500.5,"agency":"GBI","releaseDate":"2026-03-05T05:00:00-05:00","lastChange":"2026-03-01T00:00:00Z","chargeDetails":[]},
 "correctionsRecord":{"institution":"HAYS"},"courtCases":[{"status":"CLOSED","nextHearing":"2026-04-02T09:30:00-04:00","hearings":[{"date":"2026-04-02","time":"09:30","judge":"Hon. B"}]}]}`,
	} {
		require.JSONEq(t, want, b.data(t, query, map[string]any{"at": at}), at)
	}
}

func TestListsSayHowCurrentTheyAre(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Case{Number: "26-CR-1", Defendant: "DOE, JANE"})
	_, err := b.db.Pool.Exec(t.Context(), `insert into source_counties select 'jail', id from counties where slug in ('fulton', 'cobb')`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update sources set last_success = '2026-03-09T01:00:00Z' where id in ('jail', 'court')`)
	require.NoError(t, err)
	require.JSONEq(t, `{
 "fulton": {"total": 1, "freshness": {"asOf": "2026-03-09T01:00:00Z", "stale": ["fulton"]}},
 "cobb": {"total": 0, "freshness": {"asOf": "2026-03-09T01:00:00Z", "stale": ["cobb"]}},
 "bibb": {"total": 0, "freshness": {"asOf": null, "stale": ["bibb"]}},
 "all": {"freshness": {"stale": ["cobb", "fulton"]}},
 "corrections": {"freshness": {"asOf": "2026-03-10T14:40:00Z", "stale": []}},
 "courts": {"records": [{"scheduleAsOf": "2026-03-09T01:00:00Z", "scheduleLagSeconds": 136800, "scheduleLate": true}]}}`, b.data(t, `{
 fulton: roster(filter: {county: "fulton"}) { total freshness { asOf stale } } cobb: roster(filter: {county: "cobb"}) { total freshness { asOf stale } }
 bibb: roster(filter: {county: "bibb"}) { total freshness { asOf stale } } all: roster { freshness { stale } } corrections { freshness { asOf stale } }
 courts { records { scheduleAsOf scheduleLagSeconds scheduleLate } } }`, nil))
	require.JSONEq(t, `{"sources": [{"id": "court", "coverage": []}, {"id": "jail", "coverage": [{"slug": "cobb"}, {"slug": "fulton"}]}, {"id": "prison", "coverage": []}]}`,
		b.data(t, `{ sources { id coverage { slug } } }`, nil))
}
