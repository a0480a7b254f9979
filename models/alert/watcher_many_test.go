package alert_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
)

// drafts are watchers of so many names.
func (b *bundle) drafts(t *testing.T, n int, label string) []*models.Watcher {
	t.Helper()
	all := make([]*models.Watcher, n)
	for i := range all {
		w, err := b.Store.DraftWatcher(&models.NewWatcher{Name: fmt.Sprintf("Wren%c Moonsail%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i/17576%26), Label: &label})
		require.NoError(t, err)
		all[i] = w
	}
	return all
}

func TestManyWatchersAreCreatedTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
	all := b.drafts(t, 4500, "list")
	n, err := b.Store.CreateWatchers(b.Ctx, account, all, 0)
	require.NoError(t, err)
	require.Equal(t, 4500, n)
	page, err := b.Store.Watchers(b.Ctx, account, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, 4500, page.Total)
	require.Equal(t, []string{all[0].Name, all[1].Name}, []string{page.Watchers[0].Name, page.Watchers[1].Name}, "in the order of the list")
	seen, rev := map[string]bool{}, int64(0)
	require.NoError(t, b.Store.EachWatcher(b.Ctx, account, nil, func(w *models.Watcher) error {
		seen[w.ID], rev = true, max(rev, w.Rev)
		return nil
	}))
	require.Len(t, seen, 4500, "each once")
	n, err = b.Store.CreateWatchers(b.Ctx, account, all, 0)
	require.NoError(t, err)
	require.Zero(t, n, "somebody else imported the same list meanwhile")
	_, err = b.Store.CreateWatchers(b.Ctx, account, b.drafts(t, models.DefaultMaxWatchers-4499, "more"), rev)
	requireCode(t, models.CodeConflict, err)
	page, err = b.Store.Watchers(b.Ctx, account, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, 4500, page.Total, "none of them")
	page, err = b.Store.Watchers(b.Ctx, other, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Zero(t, page.Total)
}

func TestWatchersOfALabelOrASelectionAreChangedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
	for _, of := range []string{account, other} {
		_, err := b.Store.CreateWatchers(b.Ctx, of, b.drafts(t, 3, "court"), 0)
		require.NoError(t, err)
	}
	b.watch(t, account, models.NewWatcher{Name: "Ida Stormcrow", Label: new("jail")})
	b.watch(t, account, models.NewWatcher{Name: "Pip Thistledown"})
	labels := func(of string) (out []alert.Label) {
		t.Helper()
		found, err := b.Store.WatcherLabels(b.Ctx, of)
		require.NoError(t, err)
		for _, l := range found {
			out = append(out, *l)
		}
		return out
	}
	require.Equal(t, []alert.Label{{Label: "court", Watchers: 3}, {Label: "jail", Watchers: 1}}, labels(account))
	page, err := b.Store.LabelledWatchers(b.Ctx, account, "court", models.Page{Limit: 2, Offset: 2})
	require.NoError(t, err)
	require.Equal(t, 3, page.Total)
	require.Len(t, page.Watchers, 1)

	court := alert.Chosen{Label: new("court")}
	change := func(which alert.Chosen, c alert.ManyChange) int {
		t.Helper()
		n, err := b.Store.ChangeWatchers(b.Ctx, account, which, c)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 3, change(court, alert.ManyChange{Paused: new(true)}))
	require.Zero(t, change(court, alert.ManyChange{Paused: new(true)}))
	require.Equal(t, []alert.Label{{Label: "court", Watchers: 3, Paused: 3}, {Label: "jail", Watchers: 1}}, labels(account))
	require.Equal(t, 3, change(court, alert.ManyChange{Paused: new(false), Level: new(models.MatchLevel("WIDE"))}))
	page, err = b.Store.LabelledWatchers(b.Ctx, account, "court", models.Page{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, models.LevelWide, page.Watchers[0].Level)
	two := alert.Chosen{IDs: []string{page.Watchers[0].ID, page.Watchers[1].ID, "alrt_none"}}
	require.Equal(t, 2, change(two, alert.ManyChange{Label: new(" jail ")}))
	require.Equal(t, []alert.Label{{Label: "jail", Watchers: 3}, {Label: "court", Watchers: 1}}, labels(account))
	require.Equal(t, 1, change(court, alert.ManyChange{Label: new("")}), "an empty one takes it away")
	n, err := b.Store.DeleteWatchers(b.Ctx, account, two)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	n, err = b.Store.DeleteWatchers(b.Ctx, account, alert.Chosen{Label: new("jail")})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, labels(account))
	require.Equal(t, []alert.Label{{Label: "court", Watchers: 3}}, labels(other), "nobody else's")
	theirs, err := b.Store.LabelledWatchers(b.Ctx, other, "court", models.Page{Limit: 1})
	require.NoError(t, err)
	for which, code := range map[*alert.Chosen]models.Code{
		&court: models.CodeNotFound, {IDs: []string{theirs.Watchers[0].ID}}: models.CodeNotFound, {}: models.CodeInvalidRequest,
		{Label: new("a"), IDs: two.IDs}: models.CodeInvalidRequest,
	} {
		_, err = b.Store.DeleteWatchers(b.Ctx, account, *which)
		requireCode(t, code, err)
		_, err = b.Store.ChangeWatchers(b.Ctx, account, *which, alert.ManyChange{Paused: new(true)})
		requireCode(t, code, err)
	}
	_, err = b.Store.ChangeWatchers(b.Ctx, account, two, alert.ManyChange{})
	requireCode(t, models.CodeInvalidRequest, err)
}

// TestCreationOf100000 prints how long the lock of watchers is held. ROLLCALL_MEASURE turns it on.
func TestCreationOf100000(t *testing.T) {
	if os.Getenv("ROLLCALL_MEASURE") == "" {
		t.Skip("a measurement")
	}
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	all := b.drafts(t, models.DefaultMaxWatchers, "list")
	start := time.Now()
	_, err := b.Store.CreateWatchers(b.Ctx, account, all, 0)
	require.NoError(t, err)
	t.Log("created in", time.Since(start))
	start = time.Now()
	require.NoError(t, b.Store.EachWatcher(b.Ctx, account, nil, func(*models.Watcher) error { return nil }))
	t.Log("read in", time.Since(start))
}
