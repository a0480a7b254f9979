package auth_test

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

func (b *bundle) usage() *models.Usage {
	b.t.Helper()
	u, err := b.guard.Meter.Usage(b.t.Context(), b.account)
	require.NoError(b.t, err)
	require.Len(b.t, u.LastDay, 24)
	return u
}

func TestUsageAddsWhatIsStoredToWhatIsNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hour := clockStart.Truncate(time.Hour)
	for range 103 {
		b.get(b.bearer())
	}
	before := b.usage()
	require.Equal(t, models.UsageHour{Hour: hour, Requests: 100, Limited: 3}, before.LastDay[23])
	require.Equal(t, models.UsageHour{Hour: hour.Add(-23 * time.Hour)}, before.LastDay[0])
	require.Equal(t, []int{100, 0, 60}, []int{before.Limit, before.Remaining, before.ResetSeconds})

	require.NoError(t, b.guard.Meter.Close(t.Context()))
	require.Equal(t, before, b.usage(), "writing does not change it")
	b.clock.advance(auth.Window)
	require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
	require.Equal(t, models.UsageHour{Hour: hour, Requests: 101, Limited: 3}, b.usage().LastDay[23])

	b.clock.advance(2 * time.Hour)
	later := b.usage()
	require.Equal(t, models.UsageHour{Hour: hour, Requests: 101, Limited: 3}, later.LastDay[21])
	require.Zero(t, later.LastDay[23].Requests)
	require.Equal(t, []int{100, 100, 0}, []int{later.Limit, later.Remaining, later.ResetSeconds})

	b.clock.advance(22 * time.Hour)
	for _, h := range b.usage().LastDay {
		require.Zero(t, h.Requests, "a day later it is gone")
	}
}

func TestUsageOfAnUnlimitedAccountNeverRunsOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.account = b.newAccount("other@example.org", models.Enterprise, 0)
	u := b.usage()
	require.Equal(t, []int{0, math.MaxInt32, 0}, []int{u.Limit, u.Remaining, u.ResetSeconds})
}

func TestRequestsWriteNothingAndClosingLosesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
	stored := func() (used *time.Time, hours []models.UsageHour) {
		t.Helper()
		keys, err := b.store.Keys(t.Context(), b.account.ID)
		require.NoError(t, err)
		hours, err = b.store.UsageOf(t.Context(), b.account.ID, clockStart.Add(-time.Hour))
		require.NoError(t, err)
		return keys[0].LastUsed, hours
	}
	used, hours := stored()
	require.Nil(t, used)
	require.Empty(t, hours)

	b.clock.advance(time.Millisecond)
	require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
	require.NoError(t, b.guard.Meter.Close(t.Context()))
	used, hours = stored()
	require.WithinDuration(t, b.clock.now(), *used, 0)
	require.Equal(t, []models.UsageHour{{Hour: clockStart.Truncate(time.Hour), Requests: 2}}, hours)
}

func TestWhatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.get(b.bearer())
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, b.guard.Meter.Close(gone))
	b.get(b.bearer())
	require.NoError(t, b.guard.Meter.Close(t.Context()))
	require.NoError(t, b.guard.Meter.Close(t.Context()), "and only once")
	hours, err := b.store.UsageOf(t.Context(), b.account.ID, clockStart.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, 2, hours[0].Requests)
}

func TestReplicasAddUpTheirUsage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.guard.Meter
	b.get(b.bearer())
	b.guard.Meter = auth.NewMeter(b.open(), b.guard.Limiter, slog.New(slog.DiscardHandler), b.clock.now)
	b.get(b.bearer())
	require.NoError(t, first.Close(t.Context()))
	require.NoError(t, b.guard.Meter.Close(t.Context()))
	require.Equal(t, 2, b.usage().LastDay[23].Requests)
}

func TestAKeyOfAClosedPlanIsSeenAsUsedButNotCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.account = b.newAccount("other@example.org", models.Free, 100)
	_, key := b.newKey(b.account)
	require.Equal(t, http.StatusForbidden, b.get("Bearer "+key.Reveal()).StatusCode)
	require.NoError(t, b.guard.Meter.Close(t.Context()))
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.NotNil(t, keys[0].LastUsed)
	require.Zero(t, b.usage().LastDay[23].Requests)
}
