package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/graph"
	"rollcall/graph/generated"
	"rollcall/internal/property"
	"rollcall/internal/testdb"
)

// ask runs a GraphQL query and gives the value of its one root field, in JSON.
func (b *bundle) ask(t *testing.T, query string) json.RawMessage {
	t.Helper()
	answer, faults := b.query(t, query)
	require.Empty(t, faults, string(faults))
	return answer
}

// query is ask for a query that may fail.
func (b *bundle) query(t *testing.T, query string) (answer, faults json.RawMessage) {
	t.Helper()
	server := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: b.root}))
	server.AddTransport(transport.POST{})
	text, err := json.Marshal(map[string]string{"query": "{ answer: " + query + " }"})
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r.WithContext(graph.WithLoaders(t.Context(), b.store)))
	var out struct {
		Errors json.RawMessage
		Data   struct{ Answer json.RawMessage }
	}
	decode(t, w.Body.String(), &out)
	return out.Data.Answer, out.Errors
}

// The fields of /v1 in GraphQL, renamed to what /v1 calls them.
const (
	rosterFields = `id name dob county { name } booking_date: bookingDate release_date: releaseDate charges bond_amount: bondAmount status mugshot_url: mugshotUrl`
	rosterDetail = rosterFields + ` gdc_match: gdcMatch { gdc_id: gdcId confidence mugshot_match: mugshotMatch corrections_url: correctionsUrl }`
	courtFields  = `case_number: caseNumber defendant offense court_type: courtType county { name } filed_date: filedDate status judge next_hearing: nextHearing hearing_link: hearingLink`
	courtDetail  = courtFields + ` hearings { date time judge location zoom_link: zoomLink } dispositions { date outcome sentence }`
	gdcFields    = `gdc_id: gdcId name dob category institution sentence status release_date: releaseDate parole_end_date: paroleEndDate`
	gdcDetail    = gdcFields + ` county_records: countyRecords { roster_id: rosterId county { name } booking_date: bookingDate status roster_url: rosterUrl }`
)

// asV1 turns what GraphQL says into the words of /v1: names of counties for counties, lower case
// enums, capital court types, and "" and 00:00 for two unknowns.
func asV1(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = asV1(v[i])
		}
	case map[string]any:
		for k, x := range v {
			v[k] = asV1(x)
			text, isText := x.(string)
			switch {
			case k == "county":
				v[k] = x.(map[string]any)["name"] //nolint:errcheck,forcetypeassert // the query asks for it
			case isText && (k == "status" || k == "confidence" || k == "category"):
				v[k] = strings.ToLower(text)
			case isText && k == "court_type":
				v[k] = text[:1] + strings.ToLower(text[1:])
			case k == "dob" && x == nil:
				v[k] = ""
			case k == "time" && x == nil:
				v[k] = "00:00"
			}
		}
	}
	return v
}

func requireSame(t *testing.T, fromGraphQL json.RawMessage, fromV1 string) {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(fromGraphQL, &v))
	want, err := json.Marshal(asV1(v))
	require.NoError(t, err)
	require.JSONEq(t, string(want), fromV1)
}

func TestGraphQLAndV1GiveTheSameAnswers(t *testing.T) {
	t.Parallel()
	records := append(sample(), many()...)
	for i := range 30 {
		records = append(records, testdb.Case{Number: string(rune('A' + i)), Defendant: "Doe, Jane", Court: "magistrate", Filed: "2026-01-01"})
	}
	b := setup(t, records...)
	const page = ` { total limit offset records { `
	cases := map[string]struct{ query, path string }{
		"the newest bookings":       {`roster` + page + rosterFields + ` } }`, "/roster"},
		"bookings of a county":      {`roster(filter: {county: "ben-hill"})` + page + rosterFields + ` } }`, "/roster?county=ben-hill"},
		"bookings by name and page": {`roster(filter: {name: "jane, doe"}, limit: 7, offset: 55)` + page + rosterFields + ` } }`, "/roster?name=jane,+doe&limit=7&offset=55"},
		"released, in some days": {
			`roster(filter: {status: RELEASED, fromDate: "2019-07-04", toDate: "2025-11-01"})` + page + rosterFields + ` } }`,
			"/roster?status=released&from_date=2019-07-04&to_date=2025-11-01",
		},
		"bookings changed since":    {`roster(filter: {updatedSince: "2026-03-10T14:40:00Z"}, limit: 3)` + page + rosterFields + ` } }`, "/roster?updated_since=2026-03-10T14:40:00Z&limit=3"},
		"past the end":              {`roster(offset: 900)` + page + rosterFields + ` } }`, "/roster?offset=900"},
		"one booking with its link": {`rosterRecord(id: "ben-hill-2026-000123") { ` + rosterDetail + ` }`, "/roster/ben-hill-2026-000123"},
		"one booking without":       {`rosterRecord(id: "fulton-2025-004711") { ` + rosterDetail + ` }`, "/roster/fulton-2025-004711"},
		"the latest cases":          {`courts(limit: 20)` + page + courtFields + ` } }`, "/courts?limit=20"},
		"cases by everything": {
			`courts(filter: {name: "doe jane", courtType: SUPERIOR, county: "ben-hill", status: PENDING})` + page + courtFields + ` } }`,
			"/courts?name=doe+jane&court_type=superior&county=ben-hill&status=pending",
		},
		"a case number":         {`courts(filter: {caseNumber: "2025/W 118"})` + page + courtFields + ` } }`, "/courts?case_number=" + url.QueryEscape("2025/W 118")},
		"offenders":             {`corrections` + page + gdcFields + ` } }`, "/corrections"},
		"offenders by all":      {`corrections(filter: {name: "richard", category: PAROLEE, status: PAROLED, gdcId: "1000977"})` + page + gdcFields + ` } }`, "/corrections?name=richard&category=parolee&status=paroled&gdc_id=1000977"},
		"an offender, bookings": {`correctionsRecord(gdcId: "1000412") { ` + gdcDetail + ` }`, "/corrections/1000412"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			requireSame(t, b.ask(t, c.query), b.get(t, c.path).body)
		})
	}
	t.Run("a case with its hearings", func(t *testing.T) {
		for _, number := range []string{"26-CR-0417", "2025/W 118"} {
			requireSame(t, b.ask(t, `courtCases(caseNumber: "`+number+`") { `+courtDetail+` }`), "["+b.get(t, "/courts/"+url.PathEscape(number)).body+"]")
		}
	})
	t.Run("the sources", func(t *testing.T) {
		var list struct{ Sources json.RawMessage }
		decode(t, b.get(t, "/sources").body, &list)
		var states []map[string]any
		require.NoError(t, json.Unmarshal(b.ask(t, `sources { id kind state last_attempt: lastAttempt last_success: lastSuccess lag_seconds: lagSeconds note coverage { slug } }`), &states))
		for _, s := range states {
			s["county"], s["state"] = nil, strings.ToLower(s["state"].(string)) //nolint:errcheck,forcetypeassert // never null
		}
		want, err := json.Marshal(states)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(list.Sources))
	})
}

func TestAHearingWithoutATimeIsTheNextOneOfItsDayForBoth(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Case{Number: "26-CR-1", Defendant: "Doe, Jane", Hearings: []testdb.Hearing{{Date: "2026-03-11"}, {Date: "2026-03-12", Time: "09:00", Link: "https://court.example/second"}}})
	for at, want := range map[string]string{
		"2026-03-10T12:00:00-04:00": `"2026-03-11T00:00:00-04:00"`, "2026-03-11T00:00:00-04:00": `"2026-03-11T00:00:00-04:00"`,
		"2026-03-11T23:59:00-04:00": `"2026-03-11T00:00:00-04:00"`, "2026-03-12T00:00:00-04:00": `"2026-03-12T09:00:00-04:00"`,
		"2026-03-12T09:00:00-04:00": `null`,
	} {
		now, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		b.now.at = now
		detail := b.get(t, "/courts/26-CR-1").body
		require.Contains(t, detail, `"next_hearing":`+want, at)
		requireSame(t, b.ask(t, `courtCases(caseNumber: "26-CR-1") { `+courtDetail+` }`), "["+detail+"]")
		requireSame(t, b.ask(t, `courts { total limit offset records { `+courtFields+` } }`), b.get(t, "/courts").body)
	}
}

// Whatever a name is, both interfaces take it or both refuse it.
func TestGraphQLAndV1RefuseTheSameNames(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "a", Name: "Doe, Jane"})
	// both returns whether the interfaces refuse a name.
	both := func(tb require.TestingT, name string) bool {
		text, err := json.Marshal(name)
		require.NoError(tb, err)
		var refused bool
		for _, list := range []string{"roster", "courts", "corrections"} {
			_, faults := b.query(t, list+`(filter: {name: `+string(text)+`}) { total }`)
			status := b.get(t, "/"+list+"?name="+url.QueryEscape(name)).status
			refused = len(faults) > 0
			require.Equal(tb, status == http.StatusBadRequest, refused, "%q: %d and %s", name, status, faults)
		}
		return refused
	}
	property.Check(t, 40, func(rt *rapid.T) {
		word := rapid.StringMatching("[a-zé'-]{1,40}|[\u0300-\u030f]{1,9}|[%_. ]")
		n := rapid.SampledFrom([]int{1, 2, 7, 8, 9, 10, 15}).Draw(rt, "number")
		both(rt, strings.Join(rapid.SliceOfN(word, n, n).Draw(rt, "words"), " "))
	})
	require.True(t, both(t, strings.Repeat("word ", 15)), "random names may all be short: this one is too long")
	require.False(t, both(t, "jane doe"))
}
