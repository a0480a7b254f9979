package web_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// list is the list of alerts as a browser without scripts holds it.
type list struct {
	*bundle
	w    *browser
	page string
}

var hiddenOfList = regexp.MustCompile(`<input type="hidden" name="(once|rev|from|label|name|do|sure|which|id|shown)" value="([^"]*)">`)

// watch creates alerts of those names.
func (b *bundle) watch(label string, names ...string) (ids []string) {
	b.t.Helper()
	for _, name := range names {
		w, err := b.store.CreateWatcher(b.t.Context(), b.account.ID, &models.NewWatcher{Name: name, Label: models.NilIfEmpty(label)})
		require.NoError(b.t, err)
		ids = append(ids, w.ID)
	}
	return ids
}

// open reads the list again.
func (l *list) open(address string) {
	l.t.Helper()
	resp := l.w.get(address)
	require.Equal(l.t, http.StatusOK, resp.StatusCode)
	l.page = text(l.t, resp)
}

// press sends the form of the page that is shown, with what is filled in.
func (l *list) press(fields ...string) int {
	l.t.Helper()
	_, form, is := strings.Cut(l.page, `<form class="card`)
	require.True(l.t, is, l.page)
	for _, m := range hiddenOfList.FindAllStringSubmatch(form, -1) {
		fields = append(fields, m[1], html.UnescapeString(m[2]))
	}
	resp := l.w.post("/alerts", fields...)
	l.page = text(l.t, resp)
	return resp.StatusCode
}

// states are the alerts by name, each with its label, level and whether it is paused.
func (l *list) states() []string {
	l.t.Helper()
	found, err := l.store.Watchers(l.t.Context(), l.account.ID, models.Page{Limit: 200})
	require.NoError(l.t, err)
	out := []string{}
	for _, w := range found.Watchers {
		said := w.Name + " " + string(w.Level)
		if w.Label != nil {
			said += " " + *w.Label
		}
		if w.Paused {
			said += " paused"
		}
		out = append(out, said)
	}
	return out
}

func lists(t *testing.T) *list {
	t.Helper()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	return &list{bundle: b, w: b.as("ada@example.org")}
}

func TestSeveralAlertsAreChangedWithoutScripts(t *testing.T) {
	t.Parallel()
	l := lists(t)
	l.open("/alerts")
	require.Contains(t, l.page, "No alerts yet")
	ids := l.watch("court & co", "Wren Moonsail", "Ida Stormcrow", "Pip Thistledown")
	for _, c := range []struct {
		fields []string
		says   string
		then   []string
	}{
		{[]string{"do", "pause", "which", "ticked", "id", ids[0], "id", ids[2]}, "2 alerts are paused.", []string{"Pip Thistledown normal court & co paused", "Ida Stormcrow normal court & co", "Wren Moonsail normal court & co paused"}},
		{[]string{"do", "pause", "which", "page"}, "1 alert is paused. 2 alerts were so already.", []string{"Pip Thistledown normal court & co paused", "Ida Stormcrow normal court & co paused", "Wren Moonsail normal court & co paused"}},
		{[]string{"do", "resume", "which", "all"}, "3 alerts are watching again.", []string{"Pip Thistledown normal court & co", "Ida Stormcrow normal court & co", "Wren Moonsail normal court & co"}},
		{[]string{"do", "level", "level", "strict", "which", "ticked", "id", ids[1]}, "1 alert is at level strict.", []string{"Pip Thistledown normal court & co", "Ida Stormcrow strict court & co", "Wren Moonsail normal court & co"}},
		{[]string{"do", "label", "named", " <b>jail</b> ", "which", "ticked", "id", ids[1]}, "1 alert is labelled &lt;b&gt;jail&lt;/b&gt;.", []string{"Pip Thistledown normal court & co", "Ida Stormcrow strict <b>jail</b>", "Wren Moonsail normal court & co"}},
		{[]string{"do", "unlabel", "which", "ticked", "id", ids[1]}, "1 alert has no label now.", []string{"Pip Thistledown normal court & co", "Ida Stormcrow strict", "Wren Moonsail normal court & co"}},
	} {
		l.open("/alerts")
		require.Equal(t, http.StatusOK, l.press(c.fields...))
		require.Contains(t, l.page, c.says)
		require.Equal(t, c.then, l.states())
	}
	t.Log("all of a label are those of the label alone, and a deletion is confirmed with the number")
	l.open("/alerts?label=court+%26+co")
	require.Contains(t, l.page, "Labelled court &amp; co")
	require.NotContains(t, l.page, "Ida Stormcrow")
	require.Equal(t, http.StatusOK, l.press("do", "delete", "which", "all"))
	require.Contains(t, l.page, "Delete 2 alerts?")
	require.Contains(t, l.page, "These are all your alerts labelled court &amp; co.")
	require.Len(t, l.states(), 3)
	require.Equal(t, http.StatusOK, l.press())
	require.Contains(t, l.page, "2 alerts were deleted.")
	require.Equal(t, []string{"Ida Stormcrow strict"}, l.states())
	trail := text(t, l.w.get("/settings/trail"))
	for _, says := range []string{"alerts paused", "alerts resumed", "alerts changed", "alerts deleted", "2 alerts of court &amp; co"} {
		require.Contains(t, trail, says)
	}
}

func TestWhatCannotBeDoneWithSeveralAlertsIsSaid(t *testing.T) {
	t.Parallel()
	l := lists(t)
	ids := l.watch("", "Wren Moonsail", "Ida Stormcrow")
	_, err := l.db.Pool.Exec(t.Context(), `update watchers set name = 'J Smith', level = 'wide' where id = $1`, ids[1])
	require.NoError(t, err)
	for says, fields := range map[string][]string{
		"Select the alerts first":              {"do", "pause", "which", "ticked"},
		"Write the label first":                {"do", "label", "named", " ", "which", "page"},
		"Level must be strict, normal or wide": {"do", "level", "level", "none", "which", "page"},
		"would find no one at level strict":    {"do", "level", "level", "strict", "which", "page"},
		"There is no alert with one of these":  {"do", "delete", "which", "ticked", "id", "alrt_none"},
	} {
		l.open("/alerts")
		require.Equal(t, http.StatusUnprocessableEntity, l.press(fields...), says)
		require.Contains(t, l.page, says)
	}
	require.Equal(t, []string{"J Smith wide", "Wren Moonsail normal"}, l.states())
	require.Equal(t, http.StatusNotFound, l.w.post("/alerts", "rev", "1", "do", "dance", "which", "all").StatusCode)
	require.Contains(t, text(t, l.w.post("/alerts", "do", "delete", "which", "all", "sure", "yes")), "The form arrived incomplete")
	t.Log("what was ticked stays so")
	l.open("/alerts")
	l.press("do", "label", "which", "ticked", "id", ids[0])
	require.Regexp(t, `name="id" value="`+ids[0]+`" checked`, l.page)
	require.NotRegexp(t, `name="id" value="`+ids[1]+`" checked`, l.page)
}

// Ada and Bob look at the same list.
func TestWhatSomebodyElseChangedIsLeftAndSaid(t *testing.T) {
	t.Parallel()
	l := lists(t)
	ids := l.watch("court", "Wren Moonsail", "Ida Stormcrow", "Pip Thistledown")
	bob := &list{bundle: l.bundle, w: l.as("ada@example.org")}
	l.open("/alerts")
	bob.open("/alerts")
	require.Equal(t, http.StatusOK, bob.press("do", "label", "named", "mine", "which", "ticked", "id", ids[0]))
	require.NoError(t, l.store.DeleteWatcher(t.Context(), l.account.ID, ids[1]))

	require.Equal(t, http.StatusOK, l.press("do", "delete", "which", "page"))
	require.Contains(t, l.page, "Delete 1 alert?", "one is gone, and one was changed")
	require.NoError(t, l.store.DeleteWatcher(t.Context(), l.account.ID, ids[2]))
	l.watch("", "Orla Quillfeather")
	require.Equal(t, http.StatusOK, l.press())
	require.NotContains(t, l.page, "were deleted.")
	require.Contains(t, l.page, "2 alerts were already deleted.")
	require.Contains(t, l.page, "Left as it is, because someone changed it after you opened the list: <a href=\"/alerts/"+ids[0]+`">Wren Moonsail</a>`)
	require.Equal(t, []string{"Orla Quillfeather normal", "Wren Moonsail normal mine"}, l.states())

	t.Log("what was made since is not among all that the list found")
	l.open("/alerts")
	l.watch("", "Tess Marlowe")
	require.Equal(t, http.StatusOK, l.press("do", "pause", "which", "all"))
	require.Contains(t, l.page, "2 alerts are paused.")
	require.Contains(t, l.page, ">Tess Marlowe</a>")
	require.Equal(t, []string{"Tess Marlowe normal", "Orla Quillfeather normal paused", "Wren Moonsail normal mine paused"}, l.states())
}

func TestALongListHasPages(t *testing.T) {
	t.Parallel()
	l := lists(t)
	var names []string
	for i := range 51 {
		names = append(names, fmt.Sprintf("Wren Moonsail%c%c", 'a'+i%26, 'a'+i/26))
	}
	l.watch("court", names...)
	l.open("/alerts?label=court&from=50")
	require.Equal(t, 1, strings.Count(l.page, `name="id"`))
	require.Contains(t, l.page, `href="/alerts?label=court">Newer`)
	require.Contains(t, l.page, "All 51 labelled court")
	require.Equal(t, http.StatusOK, l.press("do", "delete", "which", "page"))
	require.Equal(t, http.StatusOK, l.press())
	require.Equal(t, 50, strings.Count(l.page, `name="id"`), "the page that is left")
	require.NotContains(t, l.page, "Older")
	require.Equal(t, http.StatusNotFound, l.w.get("/alerts?from=x").StatusCode)
	require.Equal(t, http.StatusOK, l.w.get("/alerts?from=9").StatusCode)
	other := l.newAccount("other@example.org", models.Enterprise)
	l.user(other, "eve@example.org", models.Owner, false)
	eve := l.as("eve@example.org")
	require.Equal(t, http.StatusUnprocessableEntity, eve.post("/alerts", "rev", "999999", "do", "delete", "sure", "yes", "which", "all").StatusCode)
	require.Len(t, l.states(), 50, "nobody else's")
}

func TestAlertsAreSearchedByName(t *testing.T) {
	t.Parallel()
	l := lists(t)
	l.watch("jail", "Wren Moonsail", "Inés Moonsail")
	l.watch("", "Ida Stormcrow", "Pip Moonsail")
	l.open("/alerts?name=ines+moon")
	require.Contains(t, l.page, "Inés Moonsail")
	require.Contains(t, l.page, "1 alert<")
	require.NotContains(t, l.page, "Wren Moonsail")
	require.Contains(t, l.page, `value="ines moon"`, "the search stays in its field")

	t.Log("what is done to those that are found leads back to them")
	l.open("/alerts?name=moonsail&label=jail")
	require.Equal(t, http.StatusOK, l.press("which", "page", "do", "pause"))
	require.Contains(t, l.page, "2 alerts are paused.")
	require.Contains(t, l.page, "Named “moonsail”, labelled jail")
	require.NotContains(t, l.page, "Pip Moonsail")
	require.Equal(t, []string{"Pip Moonsail normal", "Ida Stormcrow normal", "Inés Moonsail normal jail paused", "Wren Moonsail normal jail paused"}, l.states())

	t.Log("all that a search finds is no choice: nothing else than what was shown may change")
	require.Equal(t, http.StatusUnprocessableEntity, l.press("which", "all", "do", "delete", "sure", "yes"))
	require.Contains(t, l.page, "To change alerts of a search, select them")
	require.Len(t, l.states(), 4)
	l.open("/alerts?name=moonsail")
	require.Equal(t, http.StatusOK, l.press("which", "page", "do", "delete"))
	require.Contains(t, l.page, "Delete 3 alerts?")
	require.Equal(t, http.StatusOK, l.press())
	require.Contains(t, l.page, "3 alerts were deleted.")
	require.Contains(t, l.page, "No alert of “moonsail”")
	refused := l.w.get("/alerts?name=" + strings.Repeat("a+", 9))
	require.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode)
	said := text(t, refused)
	require.Contains(t, said, "has more than 8 words; leave some out")
	require.Contains(t, said, "Ida Stormcrow", "the list stays")
}
