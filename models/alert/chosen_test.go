package alert_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/store"
)

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
	page, err := b.Store.FindWatchers(b.Ctx, account, alert.Find{Label: new("court")}, models.Page{Limit: 2, Offset: 2})
	require.NoError(t, err)
	require.Equal(t, 3, page.Total)
	require.Len(t, page.Watchers, 1)

	court := alert.Chosen{Label: new("court")}
	change := func(which alert.Chosen, c alert.ManyChange) int {
		t.Helper()
		out, err := b.Store.ChangeWatchers(b.Ctx, account, which, c)
		require.NoError(t, err)
		return out.Done
	}
	require.Equal(t, 3, change(court, alert.ManyChange{Paused: new(true)}))
	require.Zero(t, change(court, alert.ManyChange{Paused: new(true)}))
	require.Equal(t, []alert.Label{{Label: "court", Watchers: 3, Paused: 3}, {Label: "jail", Watchers: 1}}, labels(account))
	require.Equal(t, 3, change(court, alert.ManyChange{Paused: new(false), Level: new(models.MatchLevel("WIDE"))}))
	page, err = b.Store.FindWatchers(b.Ctx, account, alert.Find{Label: new("court")}, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, models.LevelWide, page.Watchers[0].Level)
	two := alert.Chosen{IDs: []string{page.Watchers[0].ID, page.Watchers[1].ID, "alrt_none"}}
	require.Equal(t, 2, change(two, alert.ManyChange{Label: new(" jail ")}))
	require.Equal(t, []alert.Label{{Label: "jail", Watchers: 3}, {Label: "court", Watchers: 1}}, labels(account))
	require.Equal(t, 1, change(court, alert.ManyChange{Label: new("")}), "an empty one takes it away")
	out, err := b.Store.DeleteWatchers(b.Ctx, account, two)
	require.NoError(t, err)
	require.Equal(t, &alert.Many{Found: 2, Done: 2}, out)
	out, err = b.Store.DeleteWatchers(b.Ctx, account, alert.Chosen{Label: new("jail")})
	require.NoError(t, err)
	require.Equal(t, 1, out.Done)
	require.Empty(t, labels(account))
	require.Equal(t, []alert.Label{{Label: "court", Watchers: 3}}, labels(other), "nobody else's")
	theirs, err := b.Store.FindWatchers(b.Ctx, other, alert.Find{Label: new("court")}, models.Page{Limit: 1})
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

// Two people look at the same list. What one of them changed is not overwritten by the other, who is told.
func TestWhatChangedSinceItWasChosenIsLeft(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	var all []*models.Watcher
	for _, name := range []string{"Wren Moonsail", "Ida Stormcrow", "Pip Thistledown", "Orla Quillfeather"} {
		all = append(all, b.watch(t, account, models.NewWatcher{Name: name, Label: new("court")}))
	}
	seen, err := b.Store.WatcherRevision(b.Ctx, account)
	require.NoError(t, err)
	require.Equal(t, all[3].Rev, seen)
	_, err = b.Store.UpdateWatcher(b.Ctx, account, all[1].ID, models.WatcherChange{Note: new("ask first")})
	require.NoError(t, err)
	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, account, all[2].ID))
	late := b.watch(t, account, models.NewWatcher{Name: "Tess Marlowe", Label: new("court")})

	ids := alert.Chosen{IDs: []string{all[0].ID, all[1].ID, all[2].ID}, Seen: &seen}
	out, err := b.Store.ChangeWatchers(b.Ctx, account, ids, alert.ManyChange{Paused: new(true)})
	require.NoError(t, err)
	require.Equal(t, []int{2, 1, 1}, []int{out.Found, out.Done, out.Newer}, "one is gone, one was changed")
	require.Equal(t, all[1].ID+" Ida Stormcrow", out.Examples[0].ID+" "+out.Examples[0].Name)
	seen, err = b.Store.WatcherRevision(b.Ctx, account)
	require.NoError(t, err)
	_, err = b.Store.UpdateWatcher(b.Ctx, account, late.ID, models.WatcherChange{Level: new(models.LevelWide)})
	require.NoError(t, err)
	out, err = b.Store.DeleteWatchers(b.Ctx, account, alert.Chosen{All: true, Seen: &seen})
	require.NoError(t, err)
	require.Equal(t, []int{4, 3, 1}, []int{out.Found, out.Done, out.Newer}, "whatever this list shows")
	left, err := b.Store.Watchers(b.Ctx, account, models.Page{Limit: 9})
	require.NoError(t, err)
	require.Len(t, left.Watchers, 1)
	require.Equal(t, late.ID, left.Watchers[0].ID)
	out, err = b.Store.DeleteWatchers(b.Ctx, account, alert.Chosen{All: true})
	require.NoError(t, err)
	require.Equal(t, 1, out.Done)
	_, err = b.Store.DeleteWatchers(b.Ctx, account, alert.Chosen{All: true})
	requireCode(t, models.CodeNotFound, err)
}

// writes counts the statements of a store that change watchers.
type writes struct{ n int }

func (w *writes) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if strings.HasPrefix(q.SQL, `UPDATE "watchers"`) {
		w.n++
	}
	return ctx
}

func (*writes) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Everybody of the account who changes a watcher waits meanwhile, so however many there are, one statement writes them.
func TestManyAreWrittenByOneStatement(t *testing.T) {
	t.Parallel()
	b, seen := setup(t), &writes{}
	traced, err := store.Open(b.Ctx, b.Pool.Config().ConnString(), store.Options{Tracer: seen})
	require.NoError(t, err)
	t.Cleanup(traced.Close)
	account, list := b.Account(t, "desk@example.org"), alert.Chosen{Label: new("list")}
	_, err = b.Store.CreateWatchers(b.Ctx, account, b.drafts(t, 4500, "list"), 0)
	require.NoError(t, err)
	out, err := traced.ChangeWatchers(b.Ctx, account, list, alert.ManyChange{Paused: new(true), Level: new(models.LevelWide)})
	require.NoError(t, err)
	require.Equal(t, []int{4500, 1}, []int{out.Done, seen.n})
	out, err = traced.DeleteWatchers(b.Ctx, account, list)
	require.NoError(t, err)
	require.Equal(t, []int{4500, 2}, []int{out.Done, seen.n})

	t.Log("and each row writes four indexes: a fifth one makes it slower by a sixth, so it must be worth that")
	var indexes int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from pg_indexes where tablename = 'watchers'`).Scan(&indexes))
	require.Equal(t, 4, indexes)
}
