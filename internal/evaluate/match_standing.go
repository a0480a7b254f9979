package evaluate

import (
	"bufio"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"rollcall/internal/machine"
	"rollcall/internal/service"
	"rollcall/match"
)

// standingCmd matches bookings against watchers as the service does, with the index that it keeps in memory.
type standingCmd struct {
	// Watchers and Bookings are read into memory before anything is measured.
	Watchers string `required:"" help:"Lines: id, name, county or empty, with a tab between."`
	Bookings string `required:"" help:"Lines: id, name, county, with a tab between."`
	// Level is that of all watchers here. In the service each watcher has its own.
	Level string `default:"normal" enum:"strict,normal,wide" help:"Level of all watchers (${enum})."`
	// Workers of 1 makes the times of single matches comparable: nothing else competes for a core.
	Workers int `default:"0" help:"Bookings matched at once; 0 is one for each core."`
}

// standingBooking is a line of the bookings file.
type standingBooking struct{ id, name, county string }

// standingResult is what was found and measured, each by the number of the booking.
type standingResult struct {
	// hits are the watchers that a booking matches.
	hits [][]match.Hit
	// took is the time of each match.
	took []time.Duration
	// scored counts the watchers that each match compared in full. The index spared it all others.
	scored []int
}

// Run prints the hits to standard output, and statistics to standard error.
func (c *standingCmd) Run(ctx context.Context, app *service.App) error {
	level, err := match.ParseLevel(c.Level)
	if err != nil {
		return err
	}
	watchers, err := readLines(ctx, c.Watchers, 2, func(f []string) match.Watcher {
		return match.Watcher{ID: at(f, 0), Name: at(f, 1), County: at(f, 2), Level: level}
	})
	if err != nil {
		return err
	}
	bookings, err := readLines(ctx, c.Bookings, 2, func(f []string) standingBooking {
		return standingBooking{at(f, 0), at(f, 1), at(f, 2)}
	})
	if err != nil {
		return err
	}
	match.Parse("") // the tables of names are no part of the index
	before := heap()
	work := machine.ProcessorTime()
	started := time.Now()
	index := match.NewIndex()
	index.Add(watchers...)
	built := spent{time.Since(started), machine.ProcessorTime() - work}
	// The index is all that was allocated and is still alive, since the watchers were read before.
	memory := int64(heap()) - int64(before) //nolint:gosec // both are far below 2^63
	runtime.KeepAlive(watchers)
	started, work = time.Now(), machine.ProcessorTime()
	result := c.match(ctx, index, bookings)
	elapsed := spent{time.Since(started), machine.ProcessorTime() - work}
	out := bufio.NewWriterSize(app.Stdout, 1<<16)
	for i, hits := range result.hits {
		for _, h := range hits {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%s\n", h.ID, bookings[i].id, strconv.FormatFloat(h.Probability, 'f', 6, 64))
		}
	}
	result.report(app, len(watchers), built, memory, elapsed)
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// match spreads the bookings over workers. The order of the results is that of the bookings.
func (c *standingCmd) match(ctx context.Context, index *match.Index, bookings []standingBooking) standingResult {
	workers := c.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := len(bookings)
	r := standingResult{hits: make([][]match.Hit, n), took: make([]time.Duration, n), scored: make([]int, n)}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				started := time.Now()
				// Parsing the booking's name is part of the time, as it is in the service.
				b := match.Booking{Name: match.Parse(bookings[i].name), County: bookings[i].county}
				r.hits[i], r.scored[i] = index.Match(nil, &b)
				r.took[i] = time.Since(started)
			}
		})
	}
	wg.Wait()
	return r
}

// spent is how long something took by the clock, and how much of the processors it used. The latter can be
// compared between machines that do other work.
type spent struct{ clock, processor time.Duration }

// measurable is how many watchers an index needs before its memory is printed. That of fewer is lost in what the rest of the
// process allocates and frees.
const measurable = 10_000

// report prints times, memory, and how much the index spared.
func (r *standingResult) report(app *service.App, watchers int, built spent, memory int64, elapsed spent) {
	hits, scored := 0, 0
	for i := range r.hits {
		hits += len(r.hits[i])
		scored += r.scored[i]
	}
	// An empty file must not divide by zero.
	n := max(len(r.took), 1)
	slices.Sort(r.took)
	size := ""
	if watchers >= measurable {
		// Memory is scaled to a million watchers, so that runs over files of different sizes compare.
		mib := float64(memory) / (1 << 20)
		size = fmt.Sprintf(", memory %.1f MiB, %.0f MiB per million watchers", mib, mib/float64(watchers)*1e6)
	}
	_, _ = fmt.Fprintf(app.Stderr, "watchers %d, index built in %.2f s (%.2f processor seconds)%s\n",
		watchers, built.clock.Seconds(), built.processor.Seconds(), size)
	_, _ = fmt.Fprintf(app.Stderr, "bookings %d, hits %d, candidates scored %.1f a booking\n", len(r.took), hits, float64(scored)/float64(n))
	if len(r.took) > 0 {
		_, _ = fmt.Fprintf(app.Stderr, "bookings/s %.0f, of one core without other work %.0f, p50 %v, p99 %v\n",
			float64(n)/elapsed.clock.Seconds(), machine.PerSecond(n, elapsed.processor), r.took[n/2], r.took[n*99/100])
	}
}

// heap returns the size of the live heap after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
