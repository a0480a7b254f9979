package web_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestTheSearchIsExportedAsItIsFiltered(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "=MOONSAIL, WREN", DOB: "1990-03-08", Charges: []string{"+THEFT", "BATTERY"}, BondCents: 250_050, At: "2026-03-01T12:00:00Z", Agency: "=GSP Post 13"},
		testdb.Booking{ID: "ben-hill-2026-000002", County: "ben-hill", Name: "MOONSAIL, IDA", Charges: []string{"ASSAULT"}, BondCents: -1, At: "2026-03-02T00:00:00-05:00", Released: "2026-03-03T12:00:00Z"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "MOONSAIL, HIDDEN", Charges: []string{"ASSAULT"}, Agency: "GSP", Withheld: "juvenile"},
	)
	w := b.as("ada@example.org")
	rows := func(query string) []string {
		resp := w.get("/search/bookings.csv?" + query)
		require.Equal(t, http.StatusOK, resp.StatusCode, query)
		require.Equal(t, "text/csv; charset=utf-8", resp.Header.Get("Content-Type"))
		all := strings.Split(strings.TrimSpace(strings.TrimPrefix(text(t, resp), "\ufeff")), "\n")
		require.Equal(t, "record_id,name,dob,birth_year,county,booked_at,released_at,release,status,bond,charges,agency", all[0])
		return all[1:]
	}
	const (
		wren = `fulton-2026-000001,"'=MOONSAIL, WREN",1990-03-08,1990,fulton,2026-03-01T07:00:00-05:00,,,booked,2500.50,'+THEFT; BATTERY,'=GSP Post 13`
		ida  = `ben-hill-2026-000002,"MOONSAIL, IDA",,,ben-hill,2026-03-02,2026-03-03T07:00:00-05:00,reported,released,,ASSAULT,`
	)
	for query, want := range map[string][]string{
		"":                            {ida, wren},
		"q=moonsail":                  {wren, ida}, // as on the page: equally close, and in custody
		"q=moonsail&sort=NEWEST":      {ida, wren},
		"q=moonsail&sort=NAME_DESC":   {wren, ida},
		"sort=OLDEST":                 {wren, ida},
		"q=ida+moonsail":              {ida},
		"q=wren+moonsail+1990":        {wren},
		"q=moonsail&status=RELEASED":  {ida},
		"county=ben-hill":             {ida},
		"charge=assault":              {ida},
		"severity=FELONY":             {},
		"agency=gsp+post":             {wren},
		"agency=sheriff":              {},
		"bond_from=2000&bond_to=3000": {wren},
		"age_from=1&age_to=120":       {wren},
		"booked_from=2026-03-02":      {ida},
		"released_to=2026-03-03":      {ida},
		"q=nobody":                    {},
	} {
		require.Equal(t, want, rows(query), query)
	}
	for _, query := range []string{"bond_from=much", "booked_from=yesterday", "county=nowhere", "bond_from=2&bond_to=1"} {
		require.Equal(t, http.StatusBadRequest, w.get("/search/bookings.csv?"+query).StatusCode, query)
	}

	for _, query := range []string{"status=WARRANT", "q=26-CR-1"} {
		require.Equal(t, http.StatusBadRequest, w.get("/search/bookings.csv?"+query).StatusCode, query+" is not for bookings")
	}

	t.Log("the page has the same bookings, and nothing else")
	found := text(t, w.get("/search?charge=assault"))
	require.Contains(t, found, "MOONSAIL, IDA")
	require.NotContains(t, found, "HIDDEN")
	require.NotContains(t, found, "Court cases")
	require.Contains(t, found, `href="/search/bookings.csv?charge=assault"`)
	require.Contains(t, text(t, w.get("/search?q=moonsail+1990")), "=MOONSAIL, WREN")
	require.Contains(t, text(t, w.get("/search?charge=assault&bond_to=7")), `value="assault"`, "the form keeps them")
	require.Contains(t, text(t, w.get("/search?charge=arson")), "Clear some filters to see more.")
}

func TestASavedSearchIsItsPersonsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.account, "bob@example.org", models.Member, false)
	ada, bob := b.as("ada@example.org"), b.as("bob@example.org")
	save := func(w *browser, name, query string) *http.Response {
		return w.post("/search/saved", "name", name, "query", query)
	}
	require.Equal(t, http.StatusSeeOther, save(ada, "Thefts <b>", "charge=theft&bond_from=500&view=table&next=//evil.example").StatusCode)
	require.Equal(t, http.StatusSeeOther, save(ada, "Thefts <b>", "?charge=theft&bond_from=600").StatusCode, "the same name again replaces it")
	page := text(t, ada.get("/search"))
	require.Contains(t, page, `<a href="/search?bond_from=600&amp;charge=theft">Thefts &lt;b&gt;</a>`)
	require.NotContains(t, page, "evil")
	require.NotContains(t, page, `id="done"`)
	require.Regexp(t, `id="q"[^>]* autofocus`, page)
	saved := save(ada, "Thefts <b>", "charge=theft&bond_from=600").Header.Get("Location")
	said := text(t, ada.get(saved))
	require.Contains(t, said, `role="status" id="done">Saved. <a href="#saved">Go to your saved searches</a>`)
	require.Contains(t, said, `<nav id="saved" class="bar" tabindex="-1"`)
	require.Contains(t, said, `<summary autofocus aria-describedby="done">Save this search`, "the keyboard stays at the form that was sent")
	require.NotRegexp(t, `id="q"[^>]* autofocus`, said)
	require.NotContains(t, text(t, bob.get("/search")), "Thefts", "nobody else sees it")

	for name, query := range map[string]string{"": "q=smith", "empty": "", "nothing": "next=x", "long": "q=" + strings.Repeat("x", 3000)} {
		require.Equal(t, http.StatusBadRequest, save(ada, name, query).StatusCode, name)
	}
	ending := regexp.MustCompile(`action="(/search/saved/[^"]+/delete)"`).FindStringSubmatch(said)
	require.Len(t, ending, 2)
	require.Equal(t, http.StatusNotFound, bob.post(ending[1]).StatusCode)
	require.Equal(t, http.StatusSeeOther, ada.post(ending[1]).StatusCode)
	require.NotContains(t, text(t, ada.get("/search")), "Thefts")

	for i := range 50 {
		require.Equal(t, http.StatusSeeOther, save(ada, strconv.Itoa(i), "q=smith").StatusCode)
	}
	require.Equal(t, http.StatusConflict, save(ada, "one more", "q=smith").StatusCode)
}

func TestOnlyThePlanExportsTheSearch(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Pro)
	b.user(b.account, "ada@example.org", models.Owner, false)
	require.Equal(t, http.StatusForbidden, b.as("ada@example.org").get("/search/bookings.csv").StatusCode)
}
