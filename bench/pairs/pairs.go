// Package pairs measures how fast names are compared.
package pairs

import (
	"context"
	"runtime"
	"time"

	"rollcall/internal/machine"
	"rollcall/match"
)

// lasts is the processor time that pairs are scored for.
const lasts = 2 * time.Second

// Pair is two names to compare.
type Pair struct{ Watched, Booked match.Name }

// Rate is how fast pairs were scored.
type Rate struct {
	PerSecond   float64 // pairs on one core
	Allocations float64 // of a pair
}

// Measure scores the pairs, at least one, over and over on one core. The clock stands in for processor time where the
// system does not say that.
func Measure(ctx context.Context, pairs []Pair) Rate {
	now := machine.ProcessorTime
	if now() == 0 {
		started := time.Now()
		now = func() time.Duration { return time.Since(started) }
	}
	score(pairs) // warm
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	scored := 0
	began := now()
	for now()-began < lasts && ctx.Err() == nil {
		score(pairs)
		scored += len(pairs)
	}
	took := now() - began
	runtime.ReadMemStats(&after)
	return Rate{PerSecond: machine.PerSecond(scored, took), Allocations: float64(after.Mallocs-before.Mallocs) / float64(max(scored, 1))}
}

func score(pairs []Pair) {
	for i := range pairs {
		match.Compare(&pairs[i].Watched, &pairs[i].Booked)
	}
}
