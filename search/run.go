package search

import (
	"context"
	"sync"
	"time"

	"rollcall/internal/backoff"
)

// Waits between tries while the database cannot be read.
const (
	firstWait = 250 * time.Millisecond
	longWait  = 30 * time.Second
)

// mergeAbove returns how many changes beside a main segment of n records are merged into it. Each
// change costs some microseconds with every refresh; each merge copies everything.
func mergeAbove(n int) int { return max(1<<12, n/256) }

// merge is a finished merge of the snapshot of generation gen, whose main segment was from.
type merge struct {
	from, main *segment
	// Generation of the snapshot that was merged. Later changes are laid over the result.
	gen int64
	// Why there is no main; nil after a merge that worked.
	err error
}

// Run loads the index and follows the family's changes until ctx ends. While the database cannot be
// read, it tries again ever more rarely, and the index answers as of what it has seen. Call it
// once. Its error is always nil.
func (x *Index) Run(ctx context.Context) error {
	changes, leave := x.store.Changes(ctx, x.family, x.logger)
	defer leave()
	var merges sync.WaitGroup
	defer merges.Wait()
	tries := backoff.Backoff{First: firstWait, Most: longWait}
	retry := time.NewTimer(0)
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-x.merges:
			x.rebase(ctx, m)
		case gen := <-changes:
			if s := x.current.Load(); s != nil && s.gen >= gen {
				continue
			}
		case <-x.wanted:
		case <-retry.C:
		}
		if err := x.refresh(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			wait := tries.Next()
			x.logger.WarnContext(ctx, "list index cannot be read", "error", err, "retry", wait)
			retry.Reset(wait)
			continue
		}
		tries.Reset()
		x.mergeIfLarge(&merges)
	}
}

// mergeIfLarge starts to merge the changes into the main segment when they are many. Queries and
// refreshes go on meanwhile.
func (x *Index) mergeIfLarge(running *sync.WaitGroup) {
	s := x.current.Load()
	if x.merging || len(s.changes) <= mergeAbove(s.main.len()) {
		return
	}
	x.merging = true
	running.Go(func() {
		main, err := s.merged()
		x.merges <- merge{from: s.main, main: main, gen: s.gen, err: err}
	})
}

// rebase lays what changed since the merge began over the merged segment.
func (x *Index) rebase(ctx context.Context, m merge) {
	x.merging = false
	s := x.current.Load()
	if s.main != m.from {
		return // all was loaded anew meanwhile
	}
	if m.err == nil {
		var next *snapshot
		if next, m.err = s.rebased(m.main, m.gen); m.err == nil {
			x.publish(next)
			return
		}
	}
	x.logger.ErrorContext(ctx, "list index not merged", "error", m.err)
}
