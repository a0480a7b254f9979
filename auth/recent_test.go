package auth

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRecentKeepsWhatIsUsedAndStaysBounded(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	r := recent[int, string]{period: time.Minute, most: 100}
	r.put(-1, "used all the time", at)
	for i := range 10_000 {
		_, found := r.get(i, at)
		require.False(t, found)
		r.put(i, "one of a flood", at)
		v, found := r.get(-1, at)
		require.True(t, found)
		require.Equal(t, "used all the time", v)
		require.LessOrEqual(t, len(r.young)+len(r.old), 200)
	}
}

func TestRecentOutlivesThePeriodAfterItsLastUseAndThenGoes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	r := recent[string, int]{period: time.Minute}
	r.put("a", 1, at)
	for range 10 { // used once a period: stays
		at = at.Add(time.Minute)
		_, found := r.get("a", at)
		require.True(t, found)
	}
	for range 2 { // others are used instead
		at = at.Add(time.Minute)
		r.get("b", at)
	}
	_, found := r.get("a", at)
	require.False(t, found)
	require.Empty(t, len(r.young)+len(r.old))
}

func TestIdleAccountsLeaveNoMemory(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	l := NewLocalLimiter(func() time.Time { return at })
	take := func(id string) {
		_, err := l.Take(t.Context(), Bucket{ID: id, Limit: 100}, 1)
		require.NoError(t, err)
	}
	for i := range 1000 {
		take(string(rune(i)))
	}
	for range 2 {
		at = at.Add(Window)
		take("busy")
	}
	require.Equal(t, 1, len(l.logs.young)+len(l.logs.old))
}
