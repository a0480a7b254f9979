package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestRosterParametersNarrowTheList(t *testing.T) {
	t.Parallel()
	b := setup(
		t,
		testdb.Booking{ID: "a", Name: "SMITH, JOHN ALLEN", County: "ben-hill", At: "2026-03-08T00:00:00-05:00", Changed: "2026-03-08T12:00:00Z"},
		testdb.Booking{ID: "b", Name: "Mary Smith-Jones", At: "2026-03-08T23:59:59-04:00", Released: "2026-03-09T08:00:00-04:00"},
		testdb.Booking{ID: "c", Name: "O'Neil 100% Núñez", At: "2026-03-09T00:00:00-04:00"},
		testdb.Booking{ID: "d", Name: "DOE, JANE", At: "2025-11-02T00:00:00-04:00"},
		testdb.Booking{ID: "e", Name: "ROE, JANE", At: "2025-11-02T23:59:59-05:00"},
		testdb.Booking{ID: "f", Name: "POE, JANE", At: "2025-11-03T00:00:00-05:00"},
		testdb.Booking{ID: "hidden", Name: "SMITH, WITHHELD", Withheld: "juvenile"},
	)
	cases := map[string]struct {
		query string
		want  string
	}{
		"no parameter gives all, newest first":                    {"", "cbafed"},
		"county takes a slug":                                     {"?county=ben-hill", "a"},
		"county takes any letter case":                            {"?county=Ben-Hill", "a"},
		"status takes any letter case":                            {"?status=ReLeAsEd", "b"},
		"a last name alone":                                       {"?name=smith", "ba"},
		"last, first":                                             {"?name=smith,+john", "a"},
		"first last":                                              {"?name=john%20smith", "a"},
		"parts of words in any order":                             {"?name=all+smi+joh", "a"},
		"two words cannot share one word of the name":             {"?name=jon+jones", ""},
		"accents and apostrophes do not count":                    {"?name=ONEIL+nunez", "c"},
		"a percent sign means nothing special":                    {"?name=%25", ""},
		"an underscore means nothing special":                     {"?name=j_ne", ""},
		"a spring day has 23 hours":                               {"?from_date=2026-03-08&to_date=2026-03-08", "ba"},
		"an autumn day has 25 hours":                              {"?from_date=2025-11-02&to_date=2025-11-02", "ed"},
		"to_date is inclusive":                                    {"?to_date=2025-11-03", "fed"},
		"from_date is inclusive":                                  {"?from_date=2026-03-09", "c"},
		"an empty parameter counts as absent":                     {"?county=&status=&from_date=&limit=", "cbafed"},
		"an unknown parameter is ignored, even a repeated one":    {"?colour=1&colour=2&%zz=1", "cbafed"},
		"a parameter name may be escaped":                         {"?%73tatus=released", "b"},
		"filters combine":                                         {"?name=jane&to_date=2025-11-02&status=booked", "ed"},
		"updated_since is inclusive and takes an offset":          {"?updated_since=2026-03-10T10:40:00-04:00&name=smith", "b"},
		"updated_since in UTC":                                    {"?updated_since=2026-03-08T12:00:00Z&name=smith", "ba"},
		"a limit below 1 is taken as 1":                           {"?limit=0", "c"},
		"a negative limit is taken as 1":                          {"?limit=-7", "c"},
		"a limit above 200 is taken as 200":                       {"?limit=100000", "cbafed"},
		"a negative offset is taken as 0":                         {"?offset=-3&limit=1", "c"},
		"an offset skips":                                         {"?offset=4", "ed"},
		"an offset past the end gives none":                       {"?offset=9223372036854775807", ""},
		"a name past the end of the list":                         {"?name=smith&offset=50", ""},
		"a semicolon does not part parameters":                    {"?name=smith;john", "a"},
		"a trailing slash works":                                  {"/", "cbafed"},
		"a trailing slash works with parameters":                  {"/?status=released", "b"},
		"a plus sign before a number is an integer":               {"?limit=%2B2", "cb"},
		"a name of words that fold to nothing matches nothing":    {"?name=---", ""},
		"an ampersand alone is no parameter":                      {"?&&limit=1&", "c"},
		"a value may hold an equals sign, which folds to a blank": {"?name=smith=john", "a"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(b.get(t, "/roster"+c.query).ids(t, "id"), ""))
		})
	}
}

func TestBookingsOfOneMomentAreInOrderOfTheirIDs(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "bibb-2026-000002", Name: "A B"}, testdb.Booking{ID: "bibb-2026-000010", Name: "A B"}, testdb.Booking{ID: "bibb-2026-000001", Name: "A B"})
	first := b.get(t, "/roster?limit=2").ids(t, "id")
	rest := b.get(t, "/roster?limit=2&offset=2").ids(t, "id")
	require.Equal(t, []string{"bibb-2026-000010", "bibb-2026-000002", "bibb-2026-000001"}, append(first, rest...))
}

func TestTheAnswerSaysWhatWasAppliedAndTheTotalIsExact(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	cases := map[string]string{
		"/roster":                                         `{"total":3,"limit":50,"offset":0,"records":`,
		"/roster?limit=0&offset=-1":                       `{"total":3,"limit":1,"offset":0,"records":`,
		"/roster?limit=900":                               `{"total":3,"limit":200,"offset":0,"records":`,
		"/roster?offset=77":                               `{"total":3,"limit":50,"offset":77,"records":[]}`,
		"/roster?name=jane&offset=77":                     `{"total":2,"limit":50,"offset":77,"records":[]}`,
		"/roster?name=---":                                `{"total":0,"limit":50,"offset":0,"records":[]}`,
		"/courts?limit=-1":                                `{"total":2,"limit":1,"offset":0,"records":`,
		"/courts?offset=9&name=roe":                       `{"total":1,"limit":50,"offset":9,"records":[]}`,
		"/corrections?offset=5":                           `{"total":2,"limit":50,"offset":5,"records":[]}`,
		"/corrections?gdc_id=1000412&offset=1":            `{"total":1,"limit":50,"offset":1,"records":[]}`,
		"/counties?offset=9223372036854775807":            `{"total":159,"limit":200,"offset":9223372036854775807,"counties":[]}`,
		"/sources?limit=1":                                `{"total":3,"limit":1,"offset":0,"sources":`,
		"/corrections?updated_since=2030-01-01T00:00:00Z": `{"total":0,"limit":50,"offset":0,"records":[]}`,
	}
	for path, want := range cases {
		t.Run(path, func(t *testing.T) {
			r := b.get(t, path)
			require.Equal(t, http.StatusOK, r.status)
			require.Equal(t, want, r.body[:min(len(want), len(r.body))])
		})
	}
}

func TestBondsAreExactDollars(t *testing.T) {
	t.Parallel()
	want := map[int64]string{-1: "null", 0: "0", 5: "0.05", 50: "0.5", 100: "1", 50000: "500", 50050: "500.5", 123456: "1234.56", 900719925474099301: "9007199254740993.01"}
	for cents, text := range want {
		b := setup(t, testdb.Booking{ID: "a", Name: "A B", BondCents: cents})
		require.Contains(t, b.get(t, "/roster/a").body, `"bond_amount":`+text+`,`)
	}
}

func TestUnknownRosterRecordsAreNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "secret", Name: "A B", Withheld: "restricted"}, testdb.Booking{ID: "ben-hill-2026-1", Name: "A B"})
	for _, path := range []string{"/roster/nobody", "/roster/secret", "/roster/a%2Fb", "/roster/BEN-HILL-2026-1", "/roster/ben-hill-2026-1%2F"} {
		b.get(t, path).message(t, http.StatusNotFound, models.CodeNotFound)
	}
	require.Equal(t, http.StatusOK, b.get(t, "/roster/ben-hill-2026-1/").status)
	require.Equal(t, http.StatusOK, b.get(t, "/roster/ben%2Dhill%2D2026%2D1").status)
}

// What an operator restricts is, to a caller, a record that never was; and it is there again once the restriction is lifted.
func TestARestrictedRecordOfEachFamilyIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "fulton-2026-1", Name: "A B"}, testdb.Case{Number: "26-1", Defendant: "A B"}, testdb.Offender{GdcID: "1", Name: "A B"})
	cases, err := b.store.CourtCasesByNumber(t.Context(), "26-1", nil, nil)
	require.NoError(t, err)
	for id, of := range map[string]struct{ path, query string }{
		"fulton-2026-1": {"/roster/", `roster(filter: {name: "a b"}) { total }`},
		cases[0].ID():   {"/courts/", `courts(filter: {name: "a b"}) { total }`},
		"1":             {"/corrections/", `corrections(filter: {name: "a b"}) { total }`},
	} {
		path := of.path + map[bool]string{true: "26-1", false: id}[of.path == "/courts/"]
		require.Equal(t, http.StatusOK, b.get(t, path).status, path)
		_, err := b.store.Restrict(t.Context(), id, "ann", "an order of the court")
		require.NoError(t, err)
		b.get(t, path).message(t, http.StatusNotFound, models.CodeNotFound)
		require.Contains(t, b.get(t, strings.TrimSuffix(of.path, "/")+"?name=a").body, `"total":0,`, path)
		require.JSONEq(t, `{"total":0}`, string(b.ask(t, of.query)))
		require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "ann", "the order was lifted"))
		require.Equal(t, http.StatusOK, b.get(t, path).status, path)
		require.JSONEq(t, `{"total":1}`, string(b.ask(t, of.query)))
	}
	_, err = b.store.Restrict(t.Context(), "nobody", "ann", "an order of the court")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestALinkToARecordThatV1DoesNotServeIsNull(t *testing.T) {
	t.Parallel()
	b := setup(
		t, testdb.Booking{ID: "a", Name: "A B"}, testdb.Booking{ID: "b", Name: "A B"},
		testdb.Offender{GdcID: "1", Name: "A B", Status: "unknown"}, testdb.Offender{GdcID: "2", Name: "A B", Withheld: "restricted"},
		testdb.Link{Booking: "a", Offender: "1"}, testdb.Link{Booking: "b", Offender: "2"},
	)
	require.Contains(t, b.get(t, "/roster/a").body, `"gdc_match":null`)
	require.Contains(t, b.get(t, "/roster/b").body, `"gdc_match":null`)
}
