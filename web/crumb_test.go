package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestARecordLeadsBackToItsSearch(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.aPerson()
	w := b.as("ada@example.org")
	from := func(path, referer string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+path, http.NoBody)
		require.NoError(t, err)
		if referer != "" {
			r.Header.Set("Referer", referer)
		}
		return text(t, w.do(r))
	}
	const results, name = ">Search results</a>", ">Search this name</a>"
	records := []string{
		"/roster/cobb-2025-000002", "/cases/" + b.caseID("26-CR-1"), "/corrections/1000412", "/people/fulton-2026-000001", "/people?name=moonsail+wren",
	}
	for _, path := range records {
		page := from(path, b.url+"/search?after=x&county=cobb&done=search-saved&more=roster&q=moonsail")
		require.Contains(t, page, `<a id="results" href="/search?after=x&amp;county=cobb&amp;more=roster&amp;q=moonsail"`+results, path)
		for _, elsewhere := range []string{
			"", b.url + "/", b.url + "/search", b.url + "/search?done=search-saved", b.url + "/search/alert?q=moonsail",
			b.url + "//evil.example/search?q=evil", "https://evil.example/search?q=evil", "/search?q=evil", "::", b.url + "/search?q=%zz",
		} {
			page = from(path, elsewhere)
			require.NotContains(t, page, results, path+" from "+elsewhere)
			require.Regexp(t, `<a href="/search\?q=[Mm]oonsail(&#43;|\+)[Ww]ren"`+name, page, path+" from "+elsewhere)
			require.NotContains(t, page, "evil")
		}
	}
	for _, inbox := range []string{"/inbox", "/inbox?after=x&show=read"} {
		require.Contains(t, from(records[0], b.url+inbox), `<a href="`+strings.ReplaceAll(inbox, "&", "&amp;")+`">Inbox</a>`)
	}
	require.Equal(t, "same-origin", w.get(records[0]).Header.Get("Referrer-Policy"))
	require.Contains(t, from("/people", ""), `<a href="/search">Search</a>`)
	require.Contains(t, from("/search?q=Moonsail+Wren", ""), `href="/roster/cobb-2025-000002"`, "the search for the name finds the record")
}
