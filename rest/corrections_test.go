package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestCorrectionsParametersNarrowTheList(t *testing.T) {
	t.Parallel()
	b := setup(
		t,
		testdb.Offender{GdcID: "4", Name: "ZED, ANN", Category: "parolee", Status: "paroled"},
		testdb.Offender{GdcID: "3", Name: "Ábel, Ann"},
		testdb.Offender{GdcID: "2", Name: "abel ann", Category: "sex_offender", Status: "released", Changed: "2026-03-11T00:00:00Z"},
		testdb.Offender{GdcID: "1", Name: "Baker, Bob"},
		testdb.Offender{GdcID: "0", Name: "Baker, Unknown", Status: "unknown"},
		testdb.Offender{GdcID: "9", Name: "Baker, Sealed", Withheld: "restricted"},
	)
	cases := map[string]struct{ query, want string }{
		"all by folded name, then gdc_id; no unknown status": {"", "2314"},
		"a name in another order":                            {"?name=ann+ABEL", "23"},
		"a name without its accent":                          {"?name=abel,", "23"},
		"a category":                                         {"?category=sex_offender", "2"},
		"a category in any letter case":                      {"?category=Sex_Offender", "2"},
		"a status":                                           {"?status=paroled", "4"},
		"an id":                                              {"?gdc_id=3", "3"},
		"an id combines with the other filters":              {"?gdc_id=3&status=released", ""},
		"an id does not excuse an offset":                    {"?gdc_id=3&offset=1", ""},
		"an id of a record whose status is unknown":          {"?gdc_id=0", ""},
		"an id is exact":                                     {"?gdc_id=03", ""},
		"a county is no parameter here":                      {"?county=nowhere&name=zed", "4"},
		"changed since":                                      {"?updated_since=2026-03-11T00:00:00Z", "2"},
		"a page":                                             {"?limit=2&offset=1", "31"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(b.get(t, "/corrections"+c.query).ids(t, "gdc_id"), ""))
		})
	}
	require.Equal(t, 4, b.get(t, "/corrections").total(t))
	require.Equal(t, 1, b.get(t, "/corrections?name=baker").total(t))
	b.get(t, "/corrections?gdc_id=3&status=zzz").message(t, http.StatusBadRequest, models.CodeInvalidParameter)
	for _, id := range []string{"0", "9", "nobody"} {
		b.get(t, "/corrections/"+id).message(t, http.StatusNotFound, models.CodeNotFound)
	}
	require.Contains(t, b.get(t, "/corrections/4/").body, `"county_records":[]`)
}

func TestBothSidesOfALinkAgree(t *testing.T) {
	t.Parallel()
	b := setup(
		t, testdb.Offender{GdcID: "GDC 1/2", Name: "Doe, Jane"},
		testdb.Booking{ID: "cobb-2025-1", County: "cobb", Name: "Doe, Jane", At: "2025-01-01T00:00:00-05:00"},
		testdb.Booking{ID: "cobb-2026-1", County: "cobb", Name: "Doe, Jane"},
		testdb.Booking{ID: "cobb-2026-2", County: "cobb", Name: "Doe, Jane", Withheld: "restricted"},
		testdb.Link{Booking: "cobb-2025-1", Offender: "GDC 1/2", Confidence: "low"},
		testdb.Link{Booking: "cobb-2026-1", Offender: "GDC 1/2"}, testdb.Link{Booking: "cobb-2026-2", Offender: "GDC 1/2"},
	)
	var booked struct {
		Match struct {
			URL string `json:"corrections_url"`
		} `json:"gdc_match"`
	}
	decode(t, b.get(t, "/roster/cobb-2025-1").body, &booked)
	path, ok := strings.CutPrefix(booked.Match.URL, baseURL)
	require.True(t, ok, booked.Match.URL)
	var offender struct {
		Records []struct {
			ID  string `json:"roster_id"`
			URL string `json:"roster_url"`
		} `json:"county_records"`
	}
	decode(t, b.get(t, path).body, &offender)
	require.Len(t, offender.Records, 2)
	require.Equal(t, "cobb-2026-1", offender.Records[0].ID)
	require.Equal(t, baseURL+"/roster/cobb-2025-1", offender.Records[1].URL)
}
