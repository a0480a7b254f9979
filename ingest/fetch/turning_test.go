package fetch_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/document"
	"rollcall/ingest/fetch"
)

// lively is a list that changes while it is read: before answer n (from 0), change n happens to it.
type lively struct {
	rows    []string
	changes map[int]func(rows []string) []string
	asked   int
	size    int
}

func (l *lively) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if change := l.changes[l.asked]; change != nil {
		l.rows = change(slices.Clone(l.rows))
	}
	l.asked++
	from, _ := strconv.Atoi(r.FormValue("from"))
	from = min(from, len(l.rows))
	_, _ = fmt.Fprintf(w, `{"total": %d, "rows": [%s]}`, len(l.rows), strings.Join(l.rows[from:min(from+l.size, len(l.rows))], ", "))
}

func letters(s string) []string {
	rows := make([]string, len(s))
	for i, c := range s {
		rows[i] = fmt.Sprintf(`{"id": "%c"}`, c)
	}
	return rows
}

// read gives the ids of all kept rows.
func read(t *testing.T, found *fetch.Found) string {
	t.Helper()
	var ids strings.Builder
	for _, page := range pages(t, found.Documents) {
		for _, part := range strings.Split(page, `"id": "`)[1:] {
			ids.WriteString(part[:1])
		}
	}
	return ids.String()
}

func without(id string) func([]string) []string {
	return func(rows []string) []string {
		return slices.DeleteFunc(rows, func(row string) bool { return strings.Contains(row, `"`+id+`"`) })
	}
}

func TestGuarantee4RowsThatMoveBetweenPagesAreNoticed(t *testing.T) {
	t.Parallel()
	const moved, changed = "rows moved between pages while they were read", "the declared number of rows changed while they were read"
	offset := fetch.Paging{By: "offset", Size: 3, Rows: document.Texts{"rows"}, Total: "total"}
	untold := fetch.Paging{By: "offset", Size: 3, Rows: document.Texts{"rows"}}
	aligned := fetch.Paging{By: "offset", Size: 3, Rows: document.Texts{"rows"}, Total: "total", Aligned: true}
	swap := func(rows []string) []string { return append(without("a")(rows), letters("z")...) }
	cases := []struct {
		name   string
		paging fetch.Paging
		change func([]string) []string // between the first page and the second
		read   string
		moving bool
		doubts []string
	}{
		{"pages by offset overlap, and each row is kept once", offset, nil, "abcdefg", false, nil},
		{"so without a declared number", untold, nil, "abcdefg", false, nil},
		{"one leaves", offset, without("a"), "abcdef", false, []string{moved, changed}},
		{"one leaves and one comes behind", offset, swap, "abcdefgz", false, []string{moved}},
		{"one leaves from a list without a declared number", untold, without("a"), "abcdefg", false, []string{moved}},
		{"one comes on the page that was read", untold, func(rows []string) []string { return append(letters("0"), rows...) }, "abcbcdefg", false, []string{moved}},
		{"one leaves from behind", untold, without("f"), "abcdeg", false, nil},
		{"all behind leave, and who was last is still there", untold, func(rows []string) []string { return rows[:3] }, "abc", false, nil},
		{"all leave", untold, func([]string) []string { return nil }, "abc", false, []string{moved}},
		{"whole pages only can move unseen", aligned, swap, "abcefgz", true, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := &lively{rows: letters("abcdefg"), size: 3, changes: map[int]func([]string) []string{1: c.change}}
			found, err := find(t, &fetch.Spec{Steps: []fetch.Step{{URL: "{base}/?from={offset}", Keep: true, Paging: &c.paging}}}, server.ServeHTTP)
			require.NoError(t, err)
			require.Equal(t, c.read, read(t, found))
			require.Equal(t, c.moving, found.Moving)
			require.Equal(t, c.doubts, found.Doubts)
		})
	}
}

// cards serves pages of HTML cards, and past the last what each vendor makes of it.
func cards(past string, pages ...int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("page"))
		switch {
		case n <= len(pages):
		case past == "404":
			w.WriteHeader(http.StatusNotFound)
			return
		case past == "again":
			n = len(pages)
		default:
			_, _ = fmt.Fprint(w, past)
			return
		}
		for i := range pages[n-1] {
			_, _ = fmt.Fprintf(w, `<div class="card">%d.%d</div>`, n, i)
		}
	}
}

func TestAShortPageIsNotTakenForTheLast(t *testing.T) {
	t.Parallel()
	const short = "page 2 has fewer rows than a page holds and is not the last"
	cases := []struct {
		name    string
		handler http.HandlerFunc
		rows    int
		docs    int
		doubts  []string
	}{
		{"the page past the end is empty", cards("", 4, 4, 2), 10, 3, nil},
		{"it repeats the last", cards("again", 4, 4, 2), 10, 3, nil},
		{"it is not found", cards("404", 4, 4, 2), 10, 3, nil},
		{"the last page is full and repeats: nobody can tell, so its rows come twice", cards("again", 4, 4), 8, 3, nil},
		{"a page in the middle was cut off", cards("", 4, 3, 4, 1), 12, 4, []string{short}},
		{"there is one page", cards("", 3), 3, 1, nil},
		{"nobody is in jail", cards("", 0), 0, 1, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, err := find(t, &fetch.Spec{Steps: []fetch.Step{{
				URL: "{base}/?page={page}", Keep: true, Paging: &fetch.Paging{By: "page", Size: 4, Count: `class="card"`},
			}}}, c.handler)
			require.NoError(t, err)
			require.Equal(t, []int{c.rows, c.docs}, []int{found.Rows, len(found.Documents)})
			require.Equal(t, c.doubts, found.Doubts)
			require.Equal(t, c.docs > 1, found.Moving, "pages by number cannot overlap")
		})
	}
}

func TestPagesOfMarkupDeclareTheirNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		says   func(page string) string
		pages  []int
		asked  int
		doubts []string
	}{
		{"nothing is asked for behind the last page", func(string) string { return "of 1,008 people" }, []int{504, 504}, 2, nil},
		{"the number changes while they are read", func(page string) string { return "of " + page + "0 people" }, []int{4, 4, 4}, 4, []string{"the declared number of rows changed while they were read"}},
		{"a page without the number is not the last", func(page string) string { return map[string]string{"2": "of 8 people"}[page] }, []int{4, 4}, 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked, list := 0, cards("", c.pages...)
			found, err := find(t, &fetch.Spec{Steps: []fetch.Step{{
				URL: "{base}/?page={page}", Keep: true, Paging: &fetch.Paging{By: "page", Size: c.pages[0], Count: `class="card"`, Total: `of ([\d,]+) people`},
			}}}, func(w http.ResponseWriter, r *http.Request) {
				asked++
				_, _ = fmt.Fprint(w, c.says(r.FormValue("page")))
				list(w, r)
			})
			require.NoError(t, err)
			require.Equal(t, c.asked, asked)
			require.Equal(t, c.doubts, found.Doubts)
		})
	}
}

func TestAnErrorAnsweredAsAPageIsNoEndOfAList(t *testing.T) {
	t.Parallel()
	server := func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("from") == "0" {
			_, _ = fmt.Fprint(w, `{"rows": [{"id": "a"}, {"id": "b"}]}`)
			return
		}
		_, _ = fmt.Fprint(w, `{"error": true}`)
	}
	found, err := find(t, &fetch.Spec{Steps: []fetch.Step{{
		URL: "{base}/?from={offset}", Keep: true, Paging: &fetch.Paging{By: "offset", Size: 2, Rows: document.Texts{"rows"}, Aligned: true},
	}}}, server)
	require.NoError(t, err)
	require.Equal(t, []string{"a page came without its list of rows"}, found.Doubts)
}
