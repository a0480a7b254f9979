package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/simulator"
)

func TestThePastKeepsTheJailsAsFullAsTheyAreFounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	sim, err := simulator.New(simulator.Options{Seed: 1, Now: func() time.Time { return now }, Still: true})
	require.NoError(t, err)
	const days = 60
	var held [days]int // of all jails, so many days ago
	n := 0
	for b := range sim.Past(days * 24 * time.Hour) {
		n++
		require.True(t, b.Booked.Before(b.Released) && b.Released.Before(now) && now.Sub(b.Released) <= days*24*time.Hour)
		for i := range held {
			if at := now.AddDate(0, 0, -i); b.Booked.Before(at) && b.Released.After(at) {
				held[i]++
			}
		}
	}
	require.Greater(t, n, 1000)
	size := 0
	for _, r := range simulator.DefaultRosters() {
		custody := sim.InCustody(r.County)
		size += len(custody)
		for _, b := range custody {
			for i := range held {
				if b.Booked.Before(now.AddDate(0, 0, -i)) {
					held[i]++
				}
			}
		}
	}
	for i, h := range held {
		require.InDelta(t, size, h, float64(size)/5, "%d days ago", i)
	}
	again := 0
	for range sim.Past(days * 24 * time.Hour) {
		again++
	}
	require.Equal(t, n, again, "it is the same whenever it is asked")
}
