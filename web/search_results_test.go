package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/match"
	"rollcall/models"
)

var (
	resultLink = regexp.MustCompile(`href="([^"]+)" data-result`)
	moreLink   = regexp.MustCompile(`href="([^"]+)" data-more`)
)

// links returns the addresses that a pattern finds in a page.
func links(of *regexp.Regexp, page string) []string {
	var all []string
	for _, m := range of.FindAllStringSubmatch(page, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// searched is a desk whose database has some people, and whoever reads there.
func searched(t *testing.T, add ...any) (*bundle, *browser) {
	t.Helper()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.db.Add(t, add...)
	return b, b.as("ada@example.org")
}

func TestThePageAndItsPartHaveTheSameResults(t *testing.T) {
	t.Parallel()
	_, w := searched(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", DOB: "1990-03-08", Charges: []string{"THEFT BY TAKING", "BATTERY"}, BondCents: 250_050},
		testdb.Case{Number: "26-MA-00137", Defendant: "Moonsail, Wren"},
		testdb.Offender{GdcID: "1000000001", Name: "MOONSAIL, WREN"})
	for _, query := range []string{"", "?q=moonsail", "?q=moonsail&view=table", "?q=moonsail&view=person", "?q=theft", "?q=zzzz", "?q=26-MA-00137", "?bond_from=much"} {
		page, part := w.get("/search"+query), w.get("/search/results"+query)
		require.Equal(t, page.StatusCode, part.StatusCode, query)
		require.Equal(t, "no-store", part.Header.Get("Cache-Control"))
		results := text(t, part)
		require.NotContains(t, results, "<html")
		require.NotContains(t, results, "<script")
		once := regexp.MustCompile(`name="once" value="[^"]+"`)
		require.Contains(t, once.ReplaceAllString(text(t, page), ""), strings.TrimSpace(results), query)
	}
	found := text(t, w.get("/search/results?q=moon"))
	for _, part := range []string{
		`data-said="1 in jail bookings, 1 in court cases, 1 in state corrections"`, `<bdi title="MOONSAIL, WREN"><mark>Moon</mark>sail, Wren</bdi>`,
		"Fulton County", "born Mar 8, 1990", `<bdi title="THEFT BY TAKING">Theft by taking</bdi> +1`, "$2,500.50 bond", "26-MA-00137", "1000000001",
		`href="/search/alert?q=moon"`,
	} {
		require.Contains(t, found, part)
	}
	charged := text(t, w.get("/search/results?q=theft"))
	require.Contains(t, charged, "No name matches. 1 booking has a charge with “theft”.")
	require.Contains(t, charged, `href="/roster/fulton-2026-000001"`)
	require.Contains(t, charged, `href="/search/bookings.csv?charge=theft"`)
	require.NotContains(t, charged, "Nothing matches")
	require.Contains(t, charged, "Alerts watch a name. Save this search to run it again.")
	county := text(t, w.get("/search/results?q=hall+county"))
	require.Contains(t, county, `href="/counties/hall">Hall County (jail not covered)</a>`)
	require.NotContains(t, county, "No exact match")
	require.NotContains(t, county, "Nothing matches")
	require.Contains(t, text(t, w.get("/search/results?q=moonsail+12b")), "“12b” was not searched. The results are for “moonsail”, at any age.")
	require.Contains(t, text(t, w.get("/search/results?q=moonsail+1990")), "Only jail bookings of people born in 1990.")
	uncovered := text(t, w.get("/search/results?q=moonsail&county=hall"))
	require.Contains(t, uncovered, "We don’t cover the Hall County jail.")
	require.Contains(t, uncovered, `<a id="widened" href="/search?q=moonsail" data-search>Search all of Georgia</a>`)
	require.NotContains(t, uncovered, "Nothing matches")
	require.Contains(t, text(t, w.get("/search/results?q=26-ma-001")), "By number")
	require.Contains(t, text(t, w.get("/search/results?bond_from=much")), "must be a whole number")
	require.Equal(t, http.StatusBadRequest, w.get("/search?q=moonsail&county=nowhere").StatusCode)
}

func TestMoreResultsAreAPageFurther(t *testing.T) {
	t.Parallel()
	var add []any
	for i := range 60 {
		add = append(add, testdb.Booking{ID: fmt.Sprintf("fulton-2026-%06d", i), Name: fmt.Sprintf("MOONSAIL, A%d", i), DOB: "1990-03-08"})
	}
	_, w := searched(t, append(add, testdb.Case{Number: "26-MA-00137", Defendant: "Moonsail, Wren"})...)
	for _, query := range []string{"q=moonsail", "q=moonsail&sort=NEWEST", "q=moonsail&sort=NAME_DESC&view=table", "q=moonsail&view=person"} {
		page := text(t, w.get("/search?"+query))
		seen := map[string]bool{}
		for {
			for _, path := range links(resultLink, page) {
				seen[path] = seen[path] || strings.HasPrefix(path, "/roster/")
			}
			more := links(moreLink, page)
			if len(more) == 0 {
				break
			}
			require.Len(t, more, 1, query)
			page = text(t, w.get(more[0]))
			require.Contains(t, page, "Back to the first results")
			require.NotContains(t, page, "Court cases", "a page further is one of its family")
		}
		n := 0
		for _, is := range seen {
			if is {
				n++
			}
		}
		require.Equal(t, 60, n, query)
	}
	require.Equal(t, http.StatusBadRequest, w.get("/search?q=moonsail&sort=NAME&more=roster&after=nonsense").StatusCode)
}

func TestTheTableSortsByItsHead(t *testing.T) {
	t.Parallel()
	_, w := searched(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, ABE", BondCents: 100},
		testdb.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, BEA", BondCents: 900})
	page := text(t, w.get("/search?q=moonsail&view=table"))
	require.Contains(t, page, `aria-current="true">Table</a>`)
	bond := regexp.MustCompile(`id="sort-bond" href="([^"]+)"`)
	for _, want := range []string{"descending", "ascending", "descending"} {
		page = text(t, w.get(links(bond, page)[0]))
		require.Contains(t, page, `aria-sort="`+want+`"`)
		first := "/roster/fulton-2026-000002"
		if want == "ascending" {
			first = "/roster/fulton-2026-000001"
		}
		require.Equal(t, first, links(resultLink, page)[0], want)
	}
}

func TestBookingsOfAPersonStandTogether(t *testing.T) {
	t.Parallel()
	_, w := searched(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", DOB: "1990-03-08", At: "2026-03-01T12:00:00Z"},
		testdb.Booking{ID: "cobb-2026-000002", County: "cobb", Name: "MOONSAIL, WREN", DOB: "1990-03-08", At: "2026-02-01T12:00:00Z"},
		testdb.Booking{ID: "cobb-2026-000003", County: "cobb", Name: "MOONSAIL, IDA", DOB: "1980-03-08"})
	page := text(t, w.get("/search?q=moonsail&view=person"))
	require.Equal(t, 2, strings.Count(page, `class="by-person"`))
	require.Contains(t, page, "2 stays found<")
	require.Contains(t, text(t, w.get("/search?q=moonsail&view=person&county=cobb")), "1 stay found of 2")
}

func TestSimilarNamesAreLookedForWhenAskedFor(t *testing.T) {
	t.Parallel()
	b, w := searched(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	b.similar.found = &models.SimilarNames{Total: 1, Days: 365, Names: []*models.SimilarName{{
		Record: &models.Booking{ID: "hall-2026-000007", Name: "MOONSALE, WREN", County: b.store.Counties().All()[0], Status: models.Released}, Reasons: []string{"first name agrees"},
	}}}
	page := text(t, w.get("/search?q=wren+moonsail"))
	require.NotContains(t, page, "MOONSALE")
	require.Contains(t, page, `data-look="/search/similar?q=wren&#43;moonsail" data-soon`)
	require.Empty(t, b.similar.asked)
	for _, path := range []string{"/search?q=wren+moonsail&similar=yes", "/search/similar?q=wren+moonsail"} {
		found := text(t, w.get(path))
		for _, part := range []string{"1 similar name<", `href="/roster/hall-2026-000007"`, "first name agrees", "last 365 days"} {
			require.Contains(t, found, part, path)
		}
	}
	asked := models.SimilarAsked{Name: "wren moonsail", Limit: 20}
	require.Equal(t, []models.SimilarAsked{asked, asked}, b.similar.asked)
	require.NotContains(t, text(t, w.get("/search/similar?q=wren+moonsail")), "Show more")
	require.NotContains(t, text(t, w.get("/search?q=moonsail")), "data-look", "one word is no name to compare")
	b.similar.found = &models.SimilarNames{Days: 365}
	require.Contains(t, text(t, w.get("/search/similar?q=wren+moonsail")), "No similar names in jail bookings of the last 365 days.")
	b.similar.err = models.Invalid("name", "name must hold a first and a last name")
	resp := w.get("/search/similar?q=" + url.QueryEscape("王 芳"))
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NotContains(t, text(t, resp), "first and a last name", "what cannot be compared is no mistake of the reader")
}

func TestAllSimilarNamesAreReached(t *testing.T) {
	t.Parallel()
	b, w := searched(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	b.similar.found = &models.SimilarNames{Total: 21, Days: 365, Names: []*models.SimilarName{{
		Record: &models.Booking{ID: "hall-2026-000007", Name: "MOONSALE, WREN", County: b.store.Counties().All()[0], Status: models.Released},
	}}}
	require.Contains(t, text(t, w.get("/search/similar?q=wren+moonsail")), `href="/search?after=20&amp;more=similar&amp;q=wren&#43;moonsail" data-more`)
	for _, path := range []string{"/search", "/search/results"} {
		page := text(t, w.get(path+"?after=20&more=similar&q=wren+moonsail"))
		require.Contains(t, page, `data-group="similar"`, path)
		require.Contains(t, page, "Back to the first results")
		require.NotContains(t, page, "data-more")
		require.NotContains(t, page, "fulton-2026-000001")
		require.Equal(t, models.SimilarAsked{Name: "wren moonsail", Skip: 20, Limit: 50}, b.similar.asked[len(b.similar.asked)-1])
	}
	require.Equal(t, http.StatusBadRequest, w.get("/search?after=x&more=similar&q=wren+moonsail").StatusCode)

	t.Log("a birth beside the name leaves out who was born otherwise")
	require.Contains(t, text(t, w.get("/search/similar?q=wren+moonsail+1990")), "Bookings with another birth year are left out.")
	require.Equal(t, models.SimilarAsked{Name: "wren moonsail", Born: match.Birth{Year: 1990}, Limit: 20}, b.similar.asked[len(b.similar.asked)-1])
	require.Contains(t, text(t, w.get("/search/similar?q=wren+moonsail+2/3/1990")), "Bookings with another birth date are left out.")
	require.Equal(t, match.Birth{Year: 1990, Month: 2, Day: 3}, b.similar.asked[len(b.similar.asked)-1].Born)
}

func TestPeopleAreSearchedWithTheNameAlone(t *testing.T) {
	t.Parallel()
	_, w := searched(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", Charges: []string{"AGGRAVATED ASSAULT"}})
	for query, people := range map[string]string{
		"wren+moonsail": "/people?name=wren&#43;moonsail", "wren+moonsail+1990": "/people?name=wren&#43;moonsail", "aggravated+assault": "/people", "": "/people",
	} {
		require.Contains(t, text(t, w.get("/search?q="+query)), `<a href="`+people+`">Search people</a>`, query)
	}
}

func TestOnlyThePlanSearches(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Pro)
	b.user(b.account, "ada@example.org", models.Owner, false)
	for _, path := range []string{"/search", "/search/results?q=smith", "/search/similar?q=john+smith"} {
		require.Equal(t, http.StatusForbidden, b.as("ada@example.org").get(path).StatusCode, path)
	}
}

func TestALongListCostsNoStatementMore(t *testing.T) {
	t.Parallel()
	var add []any
	for i := range 60 {
		add = append(add, testdb.Booking{ID: fmt.Sprintf("fulton-2026-%06d", i), Name: fmt.Sprintf("MOONSAIL, A%d", i), DOB: fmt.Sprintf("19%02d-03-08", 10+i)})
	}
	b, w := searched(t, append(add, testdb.Booking{ID: "cobb-2026-000001", Name: "WREN, IDA", DOB: "1990-03-08"})...)
	cost := func(query string) int64 {
		before := b.asked.Load()
		require.Equal(t, http.StatusOK, w.get("/search/results?"+query).StatusCode)
		return b.asked.Load() - before
	}
	for _, view := range []string{"", "&view=table", "&view=person"} {
		cost("q=wren" + view) // what is kept between requests is read once
		require.LessOrEqual(t, cost("q=moonsail"+view), cost("q=wren"+view)+1, view)
	}
}
