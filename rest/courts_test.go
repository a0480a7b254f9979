package rest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestCourtParametersNarrowTheList(t *testing.T) {
	t.Parallel()
	b := setup(
		t,
		testdb.Case{Number: "3", Defendant: "SMITH, JOHN", Filed: "2026-01-03", Court: "superior", Status: "closed"},
		testdb.Case{Number: "2", Defendant: "John Smith", Filed: "2026-01-02", Court: "magistrate", County: "ben-hill"},
		testdb.Case{Number: "1", Defendant: "Doe, Jane", Filed: "2026-01-02", Court: "warrants", Status: "warrant", Changed: "2026-03-11T00:00:00Z"},
		testdb.Case{Number: "0", Defendant: "Smith, Unknown", Filed: "2026-01-09", Status: "unknown"},
		testdb.Case{Number: "9", Defendant: "Smith, Sealed", Filed: "2026-01-09", Withheld: "restricted"},
		testdb.Case{Number: "1", Defendant: "Doe, Jane", Filed: "2026-01-02", County: "dekalb"},
	)
	cases := map[string]struct{ query, want string }{
		"all, latest filed first, then number; no unknown status": {"", "3112"},
		"a name in both orders":                                   {"?name=smith+john", "32"},
		"a court type in lower case":                              {"?court_type=magistrate", "2"},
		"a court type in any letter case":                         {"?court_type=Superior", "3"},
		"a county":                                                {"?county=ben-hill", "2"},
		"a status":                                                {"?status=WARRANT", "1"},
		"changed since":                                           {"?updated_since=2026-03-11T00:00:00Z", "1"},
		"changed since, in small letters":                         {"?updated_since=2026-03-11t00:00:00z", "1"},
		"filters combine":                                         {"?name=smith&status=pending", "2"},
		"a case number alone":                                     {"?case_number=3", "3"},
		"a case number is trimmed":                                {"?case_number=+3+", "3"},
		"a case number ignores other filters":                     {"?case_number=3&name=doe&county=dekalb&status=pending", "3"},
		"a case number ignores invalid parameters":                {"?case_number=3&status=x&limit=x&offset=99&name=%ff&county=nowhere&county=twice", "3"},
		"a case number that nobody has":                           {"?case_number=4", ""},
		"part of a case number":                                   {"?case_number=", "3112"},
		"a case number of a case whose status is unknown":         {"?case_number=0", ""},
		"a case number that is withheld":                          {"?case_number=9", ""},
		"a case number that is only a blank":                      {"?case_number=+", ""},
		"an offset past the end":                                  {"?offset=4", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(b.get(t, "/courts"+c.query).ids(t, "case_number"), ""))
		})
	}
	require.Equal(t, 4, b.get(t, "/courts").total(t))
	require.Equal(t, 2, b.get(t, "/courts?name=smith").total(t))
	require.Contains(t, b.get(t, "/courts?case_number=3&limit=7&offset=9").body, `{"total":1,"limit":50,"offset":0,`)
}

// The contract has no null for a day of filing: the earliest day known stands in for it, and sorts the list.
func TestACaseWithoutADayOfFilingShowsTheEarliestDayKnown(t *testing.T) {
	t.Parallel()
	b := setup(t,
		testdb.Case{Number: "1", Defendant: "Doe, Jane", Filed: "2026-01-02"},
		testdb.Case{Number: "2", Defendant: "Doe, Jane", Filed: "2026-01-03", Inferred: true, BailCents: 250000},
		testdb.Case{Number: "3", Defendant: "Doe, Jane", Filed: "2026-01-04"},
	)
	require.Equal(t, []string{"3", "2", "1"}, b.get(t, "/courts").ids(t, "case_number"))
	require.Contains(t, b.get(t, "/courts/2").body, `"filed_date":"2026-01-03"`)
	require.NotContains(t, b.get(t, "/courts/2").body, "2500", "the contract has no bail")
}

func TestACaseIsFoundByItsNumberInThePathAndInTheQuery(t *testing.T) {
	t.Parallel()
	numbers := []string{
		"26-CR-0417", "2026/CR/0417", "2026 CR 417", "26#CR%417", "100%", "100%25", "a%2Fb", "a+b", "SU?x=1", "..", ".", "../roster", "a/../b",
		"/leading", "double//slash", "trailing/", "ends.", "Nº 5", `quote"d`, "semi;colon", "a&b", "back\\slash", "%", "~tilde:@!$'()*,=",
	}
	records := make([]any, len(numbers))
	for i, n := range numbers {
		records[i] = testdb.Case{Number: n, Defendant: "Doe, Jane"}
	}
	b := setup(t, records...)
	for _, n := range numbers {
		t.Run(n, func(t *testing.T) {
			paths := []string{
				url.PathEscape(n), // slashes escaped
				strings.ReplaceAll(url.PathEscape(n), "%2F", "/"), // slashes raw
				url.PathEscape(n) + "/",                           // and a slash behind
			}
			for _, p := range paths {
				r := b.get(t, "/courts/"+p)
				require.Equal(t, http.StatusOK, r.status, p)
				var c struct {
					Number string `json:"case_number"`
				}
				decode(t, r.body, &c)
				require.Equal(t, n, c.Number, p)
			}
			require.Equal(t, []string{n}, b.get(t, "/courts?case_number="+url.QueryEscape(n)).ids(t, "case_number"))
		})
	}
}

func TestASlashBehindACaseNumberBelongsToItWhenSuchANumberExists(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Case{Number: "7", Defendant: "Plain"}, testdb.Case{Number: "7/", Defendant: "Slash"}, testdb.Case{Number: "8", Defendant: "Alone"})
	require.Contains(t, b.get(t, "/courts/7").body, "Plain")
	require.Contains(t, b.get(t, "/courts/7/").body, "Slash")
	require.Contains(t, b.get(t, "/courts/7%2F").body, "Slash")
	require.Contains(t, b.get(t, "/courts/8/").body, "Alone")
	b.get(t, "/courts/8%2F").message(t, http.StatusNotFound, models.CodeNotFound)
	b.get(t, "/courts/8//").message(t, http.StatusNotFound, models.CodeNotFound)
	require.Len(t, b.get(t, "/courts/").ids(t, "case_number"), 3)
}

func TestSeveralCasesOfOneNumberGiveTheLatestFiledAndTheirCount(t *testing.T) {
	t.Parallel()
	b := setup(
		t,
		testdb.Case{Number: "5", Defendant: "Old", County: "bibb", Filed: "2024-01-01"},
		testdb.Case{Number: "5", Defendant: "New", County: "cobb", Filed: "2026-01-01"},
		testdb.Case{Number: "5", Defendant: "Newest but unknown", County: "clay", Filed: "2026-02-01", Status: "unknown"},
		testdb.Case{Number: "5", Defendant: "Older", Court: "superior", County: "bibb", Filed: "2023-01-01"},
		testdb.Case{Number: "6", Defendant: "Single"},
	)
	for _, path := range []string{"/courts/5", "/courts?case_number=5"} {
		r := b.get(t, path)
		require.Contains(t, r.body, `"defendant":"New"`)
		require.Equal(t, "3", r.head.Get("X-Case-Matches"))
	}
	require.Equal(t, 1, b.get(t, "/courts?case_number=5").total(t))
	require.Empty(t, b.get(t, "/courts/6").head.Get("X-Case-Matches"))
	b.get(t, "/courts/7").message(t, http.StatusNotFound, models.CodeNotFound)
}

func TestTheNextHearingIsTheFirstOneToComeWhenRead(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Case{Number: "1", Defendant: "A B", Hearings: []testdb.Hearing{
		{Date: "2026-03-12", Time: "13:30", Link: "https://court.example/second"},
		{Date: "2026-03-11", Time: "09:00", Link: "https://court.example/first"},
		{Date: "2026-03-11", Location: "time not stated"},
	}})
	r := b.get(t, "/courts/1")
	require.Contains(t, r.body, `"next_hearing":"2026-03-11T00:00:00-04:00"`)
	var c struct{ Hearings []struct{ Time string } }
	decode(t, r.body, &c)
	require.Equal(t, "00:00", c.Hearings[0].Time)
	require.Equal(t, "09:00", c.Hearings[1].Time)
	require.Equal(t, "13:30", c.Hearings[2].Time)

	b.now.at = time.Date(2026, 3, 11, 14, 0, 0, 0, time.UTC)
	require.Contains(t, b.get(t, "/courts/1").body, `"next_hearing":"2026-03-11T00:00:00-04:00","hearing_link":null`, "without a time it may be at any hour of its day")
	b.now.at = time.Date(2026, 3, 12, 4, 0, 0, 0, time.UTC)
	require.Contains(t, b.get(t, "/courts/1").body, `"next_hearing":"2026-03-12T13:30:00-04:00","hearing_link":"https://court.example/second"`, "its day ends at midnight in Georgia")
	b.now.at = time.Date(2026, 3, 13, 0, 0, 0, 0, time.UTC)
	require.Contains(t, b.get(t, "/courts").body, `"next_hearing":null,"hearing_link":null`)
}
