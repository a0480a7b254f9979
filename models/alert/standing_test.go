package alert_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheInboxStandsOtherwiseAfterEachHandling(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001"), b.tell(t)
	b.member(t, a.account, "bea@example.org")
	news, leave := b.Store.EventNews(b.Ctx, a.account, slog.New(slog.DiscardHandler))
	defer leave()
	theirs, leaveTheirs := b.Store.EventNews(b.Ctx, other.account, slog.New(slog.DiscardHandler))
	defer leaveTheirs()
	soon(t, news) // connected
	soon(t, theirs)
	standing := func() models.InboxStanding {
		now, err := b.Store.InboxStanding(b.Ctx, a.account)
		require.NoError(t, err)
		return now
	}
	before := standing()
	require.Equal(t, models.InboxStanding{}, before)
	b.event(t, a, "fulton-2026-000001", models.EventBooking)
	soon(t, news)
	found := standing()
	require.NotEqual(t, before.Event, found.Event)
	require.Equal(t, models.HitCounts{Unread: 1}, found.Counts)
	require.Equal(t, found, standing(), "the same while nothing happens")

	hits, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 1})
	require.NoError(t, err)
	for _, does := range []models.Handling{
		{Read: new(true)}, {Assignee: new("bea@example.org")}, {Answer: new(models.Confirm)}, {Answer: new(models.Dismiss)},
	} {
		b.Now = b.Now.Add(time.Second)
		last := standing()
		_, err := b.Store.Handle(b.Ctx, a.account, hits[0].ID, does)
		require.NoError(t, err)
		soon(t, news)
		require.NotEqual(t, last, standing())
	}
	select {
	case <-theirs:
		require.Fail(t, "another account hears nothing")
	case <-time.After(50 * time.Millisecond):
	}
}
