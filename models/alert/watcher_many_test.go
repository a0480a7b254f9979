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

// The count of an account is exact although several create at once, and none of them is one too many.
func TestThoseOfOneAccountWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	tx, err := b.Pool.Begin(b.Ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(b.Ctx) }()
	_, err = tx.Exec(b.Ctx, `select lock_watchers($1)`, account)
	require.NoError(t, err)
	_, err = tx.Exec(b.Ctx, `insert into watchers (id, account_id, name, events, created_at) select 'alrt_' || n, $1, 'Ida Stormcrow', '{booking}', now() from generate_series(1, $2) n`,
		account, models.DefaultMaxWatchers-1)
	require.NoError(t, err)
	ended := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := b.Store.CreateWatcher(b.Ctx, account, &models.NewWatcher{Name: "Wren Moonsail"})
			ended <- err
		}()
	}
	require.Eventually(t, func() bool {
		var waiting int
		err := b.Pool.QueryRow(b.Ctx, `select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`).Scan(&waiting)
		return err == nil && waiting == 2
	}, time.Minute, time.Millisecond)
	require.NoError(t, tx.Commit(b.Ctx))
	var refused int
	for range 2 {
		if err := soon(t, ended); err != nil {
			requireCode(t, models.CodeConflict, err)
			refused++
		}
	}
	require.Equal(t, 1, refused)
	rev, err := b.Store.WatcherRevision(b.Ctx, account)
	require.NoError(t, err)
	var newest int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select max(rev) from watchers`).Scan(&newest))
	require.Equal(t, newest, rev)
}

// TestOf100000 prints how long 100,000 watchers take, while the account's lock is held. ROLLCALL_MEASURE turns it on.
func TestOf100000(t *testing.T) {
	if os.Getenv("ROLLCALL_MEASURE") == "" {
		t.Skip("a measurement")
	}
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	all, list := b.drafts(t, models.DefaultMaxWatchers, "list"), alert.Chosen{Label: new("list")}
	change := func(c alert.ManyChange) func() error {
		return func() error { _, err := b.Store.ChangeWatchers(b.Ctx, account, list, c); return err }
	}
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"created", func() error { _, err := b.Store.CreateWatchers(b.Ctx, account, all, 0); return err }},
		{"read", func() error {
			return b.Store.EachWatcher(b.Ctx, account, nil, func(*models.Watcher) error { return nil })
		}},
		{"searched by name", func() error {
			page, err := b.Store.FindWatchers(b.Ctx, account, alert.Find{Name: new("wrenq moonsailab")}, models.Page{Limit: 50})
			require.NotZero(t, page.Total)
			return err
		}},
		{"paused", change(alert.ManyChange{Paused: new(true)})},
		{"resumed", change(alert.ManyChange{Paused: new(false)})},
		{"set to another level", change(alert.ManyChange{Level: new(models.LevelWide)})},
		{"found to be so already", change(alert.ManyChange{Level: new(models.LevelWide)})},
		{"deleted", func() error { _, err := b.Store.DeleteWatchers(b.Ctx, account, list); return err }},
	} {
		start := time.Now()
		require.NoError(t, step.run())
		t.Log(step.name, "in", time.Since(start).Round(time.Millisecond))
	}
}
