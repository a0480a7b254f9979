package match_test

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

// BenchmarkStanding builds an index and matches bookings one after another; the command "rollcall match standing"
// measures the same on all cores.
func BenchmarkStanding(b *testing.B) {
	for _, watchers := range []int{100_000, 1_000_000} {
		b.Run(strconv.Itoa(watchers), func(b *testing.B) {
			g, err := labelled.New("tables", 5, labelled.Whole)
			require.NoError(b, err)
			all := make([]match.Watcher, watchers)
			for i := range all {
				all[i] = match.Watcher{ID: fmt.Sprintf("w%07d", i), Name: g.Someone()}
			}
			names := make([]string, 5000)
			for i := range names {
				names[i] = g.Someone()
			}
			before := live()
			started := time.Now()
			x := match.NewIndex()
			x.Add(all...)
			b.ReportMetric(time.Since(started).Seconds(), "s/build")
			b.ReportMetric(float64(live()-before)/(1<<20), "MiB")
			runtime.KeepAlive(all)
			took := make([]time.Duration, 0, b.N)
			var hits []match.Hit
			b.ResetTimer()
			for i := range b.N {
				started := time.Now()
				booking := match.Booking{Name: match.Parse(names[i%len(names)])}
				hits, _ = x.Match(hits[:0], &booking)
				took = append(took, time.Since(started))
			}
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
			added := time.Now()
			x.Add(match.Watcher{ID: "new", Name: "Quentin Abernethy"})
			b.ReportMetric(float64(time.Since(added).Microseconds()), "µs/add")
		})
	}
}

func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
