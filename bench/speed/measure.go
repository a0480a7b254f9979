package main

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"rollcall/bench/labelled"
	"rollcall/internal/machine"
	"rollcall/match"
)

// figures are what matching the bookings of a set took.
type figures struct {
	built spent
	// Memory of the index alone.
	mib float64
	// Bookings that two cores match in a second, by the processor time of one.
	perSecond float64
	// Of the least times of the bookings, and of the times of the first round, in which nothing was asked before.
	p50, p99, firstP99 time.Duration
	// Watchers that were compared in full, of a booking.
	candidates float64
	hits       int
	// All bookings, the slowest first.
	slowest []booked
}

// spent is how long something took by the clock, and how much of the processors it used.
type spent struct{ clock, processor time.Duration }

// booked is what one booking took.
type booked struct {
	name string
	// The least time of all rounds: other work on the machine makes a match slower, never faster.
	took   time.Duration
	scored int
}

// cores is the machine that the goals are for.
const cores = 2

// measure builds an index of one level and matches all bookings, one after another. Parsing a booking's name is part of
// its time, as it is in the service.
func measure(people *labelled.Standing, level match.Level, rounds int) figures {
	var f figures
	all := make([]match.Watcher, len(people.Watchers))
	for i, w := range people.Watchers {
		all[i] = match.Watcher{ID: w.ID, Name: w.Name, Level: level}
	}
	before := heap()
	started, work := time.Now(), machine.ProcessorTime()
	index := match.NewIndex()
	index.Add(all...)
	f.built = spent{time.Since(started), machine.ProcessorTime() - work}
	f.mib = (heap() - before) / (1 << 20)
	runtime.KeepAlive(all)
	f.slowest = make([]booked, len(people.Bookings))
	var hits []match.Hit
	work = machine.ProcessorTime()
	for round := range rounds {
		for i, b := range people.Bookings {
			started := time.Now()
			booking := match.Booking{Name: match.Parse(b.Name)}
			var scored int
			hits, scored = index.Match(hits[:0], &booking)
			took := time.Since(started)
			if round > 0 {
				f.slowest[i].took = min(f.slowest[i].took, took)
				continue
			}
			f.slowest[i] = booked{b.Name, took, scored}
			f.candidates += float64(scored) / float64(len(people.Bookings))
			f.hits += len(hits)
		}
		if round == 0 {
			f.firstP99 = quantile(f.slowest, 0.99)
		}
	}
	f.perSecond = cores * machine.PerSecond(rounds*len(people.Bookings), machine.ProcessorTime()-work)
	f.p50, f.p99 = quantile(f.slowest, 0.5), quantile(f.slowest, 0.99)
	slices.SortFunc(f.slowest, func(a, b booked) int { return cmp.Compare(b.took, a.took) })
	return f
}

// quantile returns a quantile of the times.
func quantile(of []booked, q float64) time.Duration {
	times := make([]time.Duration, len(of))
	for i := range of {
		times[i] = of[i].took
	}
	slices.Sort(times)
	return times[int(q*float64(len(times)-1))]
}

// heap returns the size of the live heap, in bytes. A pool of the last index lives until the second collection.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
