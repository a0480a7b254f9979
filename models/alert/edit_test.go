package alert_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
)

// history returns the edits of a watcher as texts, newest first: who, and what from what to what.
func (b *bundle) history(t *testing.T, account, watcher string) (all []string) {
	t.Helper()
	found, err := b.Store.Edits(b.Ctx, account, watcher, models.Page{Limit: 200})
	require.NoError(t, err)
	for _, e := range found {
		says := []string{e.By}
		for _, c := range e.Changes {
			says = append(says, string(c.Member)+": "+shownOr(c.From)+" to "+shownOr(c.To))
		}
		all = append(all, strings.Join(says, "; "))
	}
	return all
}

func shownOr(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func TestAnAlertKeepsWhoChangedWhat(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct, other := b.Account(t, "desk@example.org"), b.Account(t, "other@example.org")
	bea := models.Actor{UserID: b.member(t, acct, "bea@example.org")}
	w := b.watch(t, acct, models.NewWatcher{Name: "Wren Moonsail", Label: new("court")})
	require.Empty(t, b.history(t, acct, w.ID), "creation is no edit")
	change := func(c models.WatcherChange) error {
		_, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, c)
		return err
	}
	require.NoError(t, change(models.WatcherChange{By: bea, Name: new("Wren Moonsale"), County: models.Fact[string]{Given: true, Value: new("fulton")}, Level: new(models.LevelWide)}))
	require.NoError(t, change(models.WatcherChange{By: bea, Level: new(models.LevelWide)}), "which changes nothing")
	require.NoError(t, change(models.WatcherChange{By: bea, BirthYear: models.Fact[int]{Given: true, Value: new(1990)}, Note: new("ask Ida, 555 0100")}))
	require.Error(t, change(models.WatcherChange{By: bea, Name: new("?")}), "what is refused is no edit")
	require.ErrorIs(t, change(models.WatcherChange{By: bea, Paused: new(true), Seen: new("old")}), models.ErrChanged)
	require.NoError(t, change(models.WatcherChange{Paused: new(true), Label: new("")}))
	require.Equal(t, []string{
		"a program; label: court to -; paused: false to true",
		"bea@example.org; birth_year: - to 1990; note: - to -",
		"bea@example.org; name: Wren Moonsail to Wren Moonsale; county: - to fulton; level: normal to wide",
	}, b.history(t, acct, w.ID))
	require.Empty(t, b.history(t, other, w.ID), "which is nobody else's")

	t.Log("who leaves stays in it, and pages follow each other")
	b.Exec(t, `delete from users`)
	newest, err := b.Store.Edits(b.Ctx, acct, w.ID, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, b.Now.UTC(), newest[0].At)
	rest, err := b.Store.Edits(b.Ctx, acct, w.ID, models.Page{Limit: 2, After: newest[1].ID()})
	require.NoError(t, err)
	require.Len(t, rest, 1)
	require.Equal(t, "bea@example.org", rest[0].By)
	_, err = b.Store.Edits(b.Ctx, acct, w.ID, models.Page{Limit: 2, After: "x"})
	requireCode(t, models.CodeInvalidParameter, err)

	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, acct, w.ID))
	require.Zero(t, b.edits(t), "it goes with the alert")
}

// edits counts what is stored of edits.
func (b *bundle) edits(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from watcher_edits`).Scan(&n))
	return n
}

func TestAChangeOfManyIsInTheHistoryOfEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	bea := models.Actor{UserID: b.member(t, acct, "bea@example.org")}
	one := b.watch(t, acct, models.NewWatcher{Label: new("court")})
	paused := b.watch(t, acct, models.NewWatcher{Label: new("court"), Paused: true})
	court := alert.Chosen{Label: new("court")}
	out, err := b.Store.ChangeWatchers(b.Ctx, acct, court, alert.ManyChange{By: bea, Paused: new(true), Level: new(models.MatchLevel("WIDE"))})
	require.NoError(t, err)
	require.Equal(t, 2, out.Done)
	_, err = b.Store.ChangeWatchers(b.Ctx, acct, court, alert.ManyChange{By: bea, Paused: new(true)})
	require.NoError(t, err)
	_, err = b.Store.ChangeWatchers(b.Ctx, acct, court, alert.ManyChange{Label: new("jail")})
	require.NoError(t, err)
	require.Equal(t, []string{"a program; label: court to jail", "bea@example.org; level: normal to wide; paused: false to true"}, b.history(t, acct, one.ID))
	require.Equal(t, []string{"a program; label: court to jail", "bea@example.org; level: normal to wide"}, b.history(t, acct, paused.ID), "with what became another")
	_, err = b.Store.DeleteWatchers(b.Ctx, acct, alert.Chosen{All: true})
	require.NoError(t, err)
	require.Zero(t, b.edits(t))
}

func TestPeopleWhoEditAtOnceLoseNoEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	acct := b.Account(t, "desk@example.org")
	w := b.watch(t, acct, models.NewWatcher{})
	const each = 8
	var all sync.WaitGroup
	for i := range each {
		all.Go(func() {
			_, err := b.Store.UpdateWatcher(b.Ctx, acct, w.ID, models.WatcherChange{Label: new("label " + strconv.Itoa(i))})
			if err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			_, err := b.Store.ChangeWatchers(b.Ctx, acct, alert.Chosen{IDs: []string{w.ID}}, alert.ManyChange{Label: new("many " + strconv.Itoa(i))})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found, err := b.Store.Edits(b.Ctx, acct, w.ID, models.Page{Limit: 200})
	require.NoError(t, err)
	require.Len(t, found, 2*each)
	now, err := b.Store.Watcher(b.Ctx, acct, w.ID)
	require.NoError(t, err)
	require.Equal(t, []any{*now.Label, now.Rev}, []any{*found[0].Changes[0].To, found[0].Rev})
	for i, e := range found[1:] {
		require.Equal(t, shownOr(e.Changes[0].To), shownOr(found[i].Changes[0].From), "each begins with what the one before left")
	}
	require.Nil(t, found[2*each-1].Changes[0].From)
}
