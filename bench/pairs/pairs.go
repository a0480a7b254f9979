// Package pairs measures how fast names are compared (`rollcall match pairs --bench`). Comparing is the
// innermost loop of watchers and links, so its speed bounds both.
package pairs

import (
	"context"
	"runtime"
	"time"

	"rollcall/internal/machine"
	"rollcall/match"
)

// lasts is the processor time for which pairs are scored.
const lasts = 2 * time.Second

// Pair is two names to compare, parsed.
type Pair struct{ Watched, Booked match.Name }

// Rate is how fast pairs were scored.
type Rate struct {
	// PerSecond is pairs on one core.
	PerSecond float64
	// Allocations is of one pair; the goal is 0.
	Allocations float64
}

// Measure scores the pairs, at least one, over and over on one core until lasts is used up or ctx ends. It
// measures processor time, which other work on the machine hardly changes, and falls back to the clock where
// the system does not provide it.
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

// score compares every pair once and drops the results.
func score(pairs []Pair) {
	for i := range pairs {
		match.Compare(&pairs[i].Watched, &pairs[i].Booked)
	}
}
