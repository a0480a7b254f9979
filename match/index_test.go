package match_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/internal/labelled"
)

func TestIndexExplore(t *testing.T) {
	g, err := labelled.New("tables", 5, labelled.Whole)
	require.NoError(t, err)
	for _, n := range []int{100_000, 1_000_000} {
		ws := make([]match.Watcher, n)
		for i := range ws {
			ws[i] = match.Watcher{ID: fmt.Sprintf("w%07d", i), Name: g.Someone()}
		}
		var bs []match.Booking
		for range 20000 {
			bs = append(bs, match.Booking{Name: match.Parse(g.Someone())})
		}
		runtime.GC()
		var m0, m1 runtime.MemStats
		runtime.ReadMemStats(&m0)
		x := match.NewIndex()
		t0 := time.Now()
		x.Add(ws...)
		t.Logf("build %d %v", n, time.Since(t0))
		runtime.GC()
		runtime.ReadMemStats(&m1)
		runtime.KeepAlive(ws)
		t.Logf("mem %d MiB", (m1.HeapAlloc-m0.HeapAlloc)>>20)
		t0 = time.Now()
		sc, h := 0, 0
		var hits []match.Hit
		for i := range bs {
			var k int
			hits, k = x.Match(hits[:0], &bs[i])
			sc += k
			h += len(hits)
		}
		d := time.Since(t0)
		t.Logf("%d: %.0f bookings/s one core, scored %.1f hits %.2f", n, float64(len(bs))/d.Seconds(), float64(sc)/float64(len(bs)), float64(h)/float64(len(bs)))
		t0 = time.Now()
		x.Add(match.Watcher{ID: "new", Name: "ZEBULON, QUIRINUS"})
		t.Logf("add %v", time.Since(t0))
	}
}
