package operate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesAreToTheSecondWhereSecondsMatter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 16, 0, 30, 0, time.UTC)
	for _, c := range []struct {
		name        string
		back        time.Duration
		moment, age string
	}{
		{"a source that is due every few seconds", 40 * time.Second, "11:59:50 AM", "40 seconds"},
		{"one second", time.Second, "12:00:29 PM", "1 second"},
		{"some minutes", 5*time.Minute + 30*time.Second, "11:55:00 AM", "5 minutes"},
		{"some hours", 3 * time.Hour, "Mar 10, 2026, 9:00 AM", "3 hours"},
		{"the next run", -time.Minute, "12:01:30 PM", "0 seconds"},
	} {
		at := now.Add(-c.back)
		require.Equal(t, []string{c.moment, c.age}, []string{moment(now, at).String(), age(now, &at).String()}, c.name)
	}
	require.Equal(t, []string{"–", ""}, []string{moment(now, (*time.Time)(nil)).String(), age(now, (*time.Time)(nil)).String()})
}
