package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

var listedAlert = regexp.MustCompile(`<a class="result" href="/alerts/[^"]+"><b><bdi>([^<]+)</bdi>`)

// listed are the names of the list as it is shown.
func (l *list) listed() []string {
	l.t.Helper()
	out := []string{}
	for _, m := range listedAlert.FindAllStringSubmatch(l.page, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestTheListOfAlertsIsSortedAndShowsDuplicates(t *testing.T) {
	t.Parallel()
	l := lists(t)
	l.watch("", "Wren Moonsail", "Ida Stormcrow", "MOONSAIL, WREN")
	l.found(models.NewWatcher{Name: "Zed Thistledown"}, "THISTLEDOWN, ZED", "THISTLEDOWN, ZED B")
	l.watch("", "Abe Newest")
	for address, want := range map[string][]string{
		"/alerts":                                {"Abe Newest", "Zed Thistledown", "MOONSAIL, WREN", "Ida Stormcrow", "Wren Moonsail"},
		"/alerts?sort=name":                      {"Abe Newest", "Ida Stormcrow", "MOONSAIL, WREN", "Wren Moonsail", "Zed Thistledown"},
		"/alerts?sort=unread":                    {"Zed Thistledown", "Abe Newest", "MOONSAIL, WREN", "Ida Stormcrow", "Wren Moonsail"},
		"/alerts?sort=last":                      {"Zed Thistledown", "Abe Newest", "MOONSAIL, WREN", "Ida Stormcrow", "Wren Moonsail"},
		"/alerts?only=duplicates":                {"MOONSAIL, WREN", "Wren Moonsail"},
		"/alerts?only=duplicates&name=stormcrow": {"MOONSAIL, WREN", "Wren Moonsail"},
		"/alerts?sort=name&name=wren":            {"MOONSAIL, WREN", "Wren Moonsail"},
		"/alerts?sort=nonsense":                  {"Abe Newest", "Zed Thistledown", "MOONSAIL, WREN", "Ida Stormcrow", "Wren Moonsail"},
	} {
		l.open(address)
		require.Equal(t, want, l.listed(), address)
	}
	l.open("/alerts?sort=unread")
	require.Contains(t, l.page, `<span class="chip accent">2 unread</span>`)

	t.Log("what is done keeps the order, and a list of duplicates says when there are none")
	l.open("/alerts?only=duplicates")
	require.Contains(t, l.page, "Alerts on the same name, county and birth")
	require.NotContains(t, l.page, `name="which" value="all"`, "all of them may be more by the time of the change")
	require.Equal(t, http.StatusOK, l.press("do", "pause", "which", "page", "only", "duplicates"))
	require.Contains(t, l.page, "2 alerts are paused.")
	require.Equal(t, []string{"MOONSAIL, WREN", "Wren Moonsail"}, l.listed())
	require.Equal(t, http.StatusUnprocessableEntity, l.press("do", "pause", "which", "all", "only", "duplicates"))
	l.open("/alerts?only=duplicates&label=none")
	require.Contains(t, l.page, "No two alerts labelled none have the same name, county and birth.")
}

func TestTheListOfAlertsComesBeforeItsSearch(t *testing.T) {
	t.Parallel()
	l := lists(t)
	l.open("/alerts")
	require.NotContains(t, l.page, `id="find-alerts"`)
	require.Contains(t, l.page, "Create an alert", "of no alert there is nothing to search")
	l.watch("", "Wren Moonsail")
	for address, opened := range map[string]bool{"/alerts": false, "/alerts?name=wren": true, "/alerts?sort=name": true, "/alerts?name=nobody": true} {
		l.open(address)
		require.Equal(t, opened, regexp.MustCompile(`<details class="filters unfolded" id="find-alerts" open>`).MatchString(l.page), address)
		require.Contains(t, l.page, "<summary>Search and sort</summary>")
	}
}
