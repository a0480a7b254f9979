package alert_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
)

func TestWatchersAreFoundByTheWordsOfTheirNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
	b.watch(t, other, models.NewWatcher{Name: "Wren Moonsail"})
	for _, w := range []models.NewWatcher{
		{Name: "Wren Moonsail", Label: new("jail")}, {Name: "MOONSAIL, Íñigo"}, {Name: "Ida O'Brien-Stormcrow", Label: new("jail")}, {Name: "Ida Moonsail", Label: new("jail")},
	} {
		b.watch(t, account, w)
	}
	gone := b.watch(t, account, models.NewWatcher{Name: "Gone Moonsail"})
	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, account, gone.ID))
	find := func(name string, label *string, p models.Page) (string, *models.WatcherPage) {
		t.Helper()
		page, err := b.Store.FindWatchers(b.Ctx, account, alert.Find{Name: &name, Label: label}, p)
		require.NoError(t, err)
		names := make([]string, len(page.Watchers))
		for i, w := range page.Watchers {
			names[i] = w.Name
		}
		slices.Sort(names) // they are of one instant, so their order is that of ids
		return strings.Join(names, "; "), page
	}
	all := models.Page{Limit: 50}
	for query, want := range map[string]string{
		"moonsail": "Ida Moonsail; MOONSAIL, Íñigo; Wren Moonsail", "sail WREN": "Wren Moonsail", "inigo": "MOONSAIL, Íñigo", "obrien": "Ida O'Brien-Stormcrow",
		"ida ida": "", "moonsail gone": "", "%": "", " ": "", "zeb": "",
	} {
		got, page := find(query, nil, all)
		require.Equal(t, want, got, query)
		require.Equal(t, len(page.Watchers), page.Total)
	}
	got, _ := find("moonsail", new("jail"), all)
	require.Equal(t, "Ida Moonsail; Wren Moonsail", got, "among those of a label")
	got, page := find("", nil, all)
	require.Equal(t, 4, page.Total, "nothing is asked: %s", got)

	t.Log("a search has pages, by offset and by cursor, and one total")
	first, page := find("moonsail", nil, models.Page{Limit: 2})
	require.Equal(t, []any{3, true}, []any{page.Total, page.PageInfo.HasNextPage})
	cursor, err := page.PageInfo.End()
	require.NoError(t, err)
	for _, next := range []models.Page{{Limit: 2, After: cursor}, {Limit: 2, Offset: 2}} {
		rest, page := find("moonsail", nil, next)
		all := append(strings.Split(first, "; "), rest)
		slices.Sort(all)
		require.Equal(t, []string{"Ida Moonsail", "MOONSAIL, Íñigo", "Wren Moonsail"}, all)
		require.Equal(t, []any{3, false}, []any{page.Total, page.PageInfo.HasNextPage})
	}
	_, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Name: new(strings.Repeat("a ", 9))}, all)
	requireCode(t, models.CodeInvalidParameter, err)
	_, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Name: new("a"), Label: new("\x00")}, all)
	requireCode(t, models.CodeInvalidParameter, err)
}
