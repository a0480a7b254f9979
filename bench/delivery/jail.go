package delivery

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rollcall/bench/roster"
	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// jail is one source whose people are all watched.
type jail struct {
	bench  *Bench
	source *ingest.Source
	// from and n choose the people of roster.Person that it holds.
	from int
	n    int
}

// feed makes a jail of n people whom an account watches, and reads its first snapshot. Watchers come first, but
// a first run is a baseline: what it brings fires only for new bookings (DECISIONS.md, Alerts).
func (b *Bench) feed(ctx context.Context, account string, n int) (*jail, error) {
	source, err := roster.Source(fmt.Sprintf("bench-%d", b.people), "")
	if err != nil {
		return nil, err
	}
	f := &jail{bench: b, source: source, from: b.people, n: n}
	b.people += n
	for i := range n {
		last, first, dob := roster.Person(f.from + i)
		day, err := models.ParseDate(dob)
		if err != nil {
			return nil, err
		}
		// A birth date makes each watcher match its own person only: invented names repeat.
		if _, err := b.Store.CreateWatcher(ctx, account, &models.NewWatcher{Name: first + " " + last, Dob: &day}); err != nil {
			return nil, err
		}
	}
	return f, f.change(ctx, 0)
}

// tick changes everybody's bond once a second.
func (f *jail) tick(ctx context.Context, seconds int) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := range seconds {
		if err := f.change(ctx, 1+i); err != nil {
			return err
		}
		// A run that takes longer than a second makes the next one begin late, and that shows in the figures.
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// change reads a snapshot in which everybody has another bond. Each person is one event.
func (f *jail) change(ctx context.Context, version int) error {
	b := f.bench
	path := filepath.Join(b.Dir, strings.TrimPrefix(f.source.ID, "bench-")+".csv")
	if err := os.WriteFile(path, roster.Rows("Fulton", f.from, f.n, f.n, version), 0o600); err != nil {
		return fmt.Errorf("write roster: %w", err)
	}
	report, err := b.Runner.Run(ctx, f.source, ingest.Input{Files: []string{path}, At: b.clock.Add(time.Duration(version) * time.Minute)})
	if err != nil {
		return err
	}
	if report.State != source.RunOK {
		return fmt.Errorf("bench: %s", report)
	}
	return nil
}
