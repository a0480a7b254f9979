package alert_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/internal/modelstest"
)

// names are those of watchers, in their order.
func names(page *models.WatcherPage) []string {
	out := []string{}
	for _, w := range page.Watchers {
		out = append(out, w.Name)
	}
	return out
}

func TestTheListOfWatchersHasSeveralOrders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002")
	account := a.account
	b.Exec(t, `update watchers set name = 'Cy Stormcrow', created_at = created_at - interval '1 hour'`)
	quiet := b.watch(t, account, models.NewWatcher{Name: "abe Thistledown"})
	b.Exec(t, `update watchers set created_at = created_at - interval '1 minute' where id = $1`, quiet.ID)
	busy := b.watch(t, account, models.NewWatcher{Name: "Bo Moonsail"})
	b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: "fulton-2026-000001", Kind: models.EventBooking, At: b.Now.Add(time.Hour)})
	for _, record := range []string{"fulton-2026-000001", "fulton-2026-000002"} {
		b.Event(t, modelstest.Event{Watcher: busy.ID, Record: record, Kind: models.EventBooking})
	}
	for order, want := range map[alert.Order][]string{
		alert.Newest:   {"Bo Moonsail", "abe Thistledown", "Cy Stormcrow"},
		alert.ByName:   {"abe Thistledown", "Bo Moonsail", "Cy Stormcrow"},
		alert.ByLast:   {"Cy Stormcrow", "Bo Moonsail", "abe Thistledown"},
		alert.ByUnread: {"Bo Moonsail", "Cy Stormcrow", "abe Thistledown"},
	} {
		page, err := b.Store.FindWatchers(b.Ctx, account, alert.Find{Order: order}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, want, names(page), string(order))
		require.Equal(t, 3, page.Total)
		page, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Order: order}, models.Page{Limit: 1, Offset: 1})
		require.NoError(t, err)
		require.Equal(t, want[1:2], names(page), string(order))
	}
	page, err := b.Store.FindWatchers(b.Ctx, account, alert.Find{Order: alert.ByLast, Name: new("o")}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []string{"Cy Stormcrow", "Bo Moonsail", "abe Thistledown"}, names(page))
	_, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Order: alert.ByName}, models.Page{Limit: 1, After: "x"})
	requireCode(t, models.CodeInvalidParameter, err)
	b.withhold(t, "fulton-2026-000002")
	b.withhold(t, "fulton-2026-000001")
	page, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Order: alert.ByUnread}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []string{"Bo Moonsail", "abe Thistledown", "Cy Stormcrow"}, names(page), "hits on withheld records order nothing")
}

func TestDuplicateWatchersStandSideBySide(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	for _, n := range []models.NewWatcher{
		{Name: "Wren Moonsail"},
		{Name: "Ida Stormcrow", County: new("hall")},
		{Name: "MOONSAIL, WREN", Label: new("docket")},
		{Name: "Ida Stormcrow"},
		{Name: "Wren Moonsail", BirthYear: new(1990)},
		{Name: "ida stormcrow"},
	} {
		b.watch(t, account, n)
		b.Now = b.Now.Add(time.Minute)
	}
	all := func(label *string, p models.Page) (int, []string) {
		t.Helper()
		page, err := b.Store.DuplicateWatchers(b.Ctx, account, label, p)
		require.NoError(t, err)
		return page.Total, names(page)
	}
	total, found := all(nil, models.Page{Limit: 10})
	require.Equal(t, 4, total, "another county or birth is another question")
	require.Equal(t, []string{"ida stormcrow", "Ida Stormcrow", "MOONSAIL, WREN", "Wren Moonsail"}, found)
	total, found = all(nil, models.Page{Limit: 2, Offset: 1})
	require.Equal(t, 4, total)
	require.Equal(t, []string{"Ida Stormcrow", "MOONSAIL, WREN"}, found)
	total, found = all(new("docket"), models.Page{Limit: 10})
	require.Zero(t, total)
	require.Empty(t, found)
}
