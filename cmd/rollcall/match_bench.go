package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"rollcall/match"
)

// benchFor is the processor time that pairs are scored for.
const benchFor = 2 * time.Second

// namePair is a line of the pairs file, parsed.
type namePair struct{ watched, booked match.Name }

// bench scores the pairs of the file over and over on one core, and prints pairs a second and what they
// allocate. Where the system does not tell processor time, the clock stands in for it.
func (c *matchPairsCmd) bench(ctx context.Context, app *App) error {
	pairs, err := readLines(ctx, c.File, func(f []string) namePair {
		return namePair{match.Parse(at(f, 1)), match.Parse(at(f, 2))}
	})
	if err != nil {
		return err
	}
	if len(pairs) == 0 {
		return fmt.Errorf("score pairs of %s: it has no lines", c.File)
	}
	now := processorTime
	if now() == 0 {
		started := time.Now()
		now = func() time.Duration { return time.Since(started) }
	}
	score(pairs) // warm
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	scored := 0
	began := now()
	for now()-began < benchFor && ctx.Err() == nil {
		score(pairs)
		scored += len(pairs)
	}
	took := now() - began
	runtime.ReadMemStats(&after)
	_, err = fmt.Fprintf(app.Stdout, "pairs/s of one core %.0f, allocations a pair %.2f\n", perSecond(scored, took), float64(after.Mallocs-before.Mallocs)/float64(max(scored, 1)))
	return err
}

func score(pairs []namePair) {
	for i := range pairs {
		match.Compare(&pairs[i].watched, &pairs[i].booked)
	}
}
