package notifier

import (
	"net/http"
	"testing"
)

// BenchmarkSend is a delivery to a fast receiver on this machine, 32 at a time; the goal is 1,000 a second on 2 cores, with
// everything around it.
func BenchmarkSend(b *testing.B) {
	u := setup(b)
	e := u.serve(b, false, func(_ http.ResponseWriter, r *http.Request) { read(r) })
	d := u.delivery(b, e.URL)
	lanes := NewLanes(LaneOptions{Endpoint: 32})
	b.SetParallelism(16)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p, err := lanes.Enter(b.Context(), "w")
			if err != nil {
				b.Error(err)
				return
			}
			a, err := u.Send(b.Context(), d)
			p.Leave(Took)
			if err != nil || !a.Delivered() {
				b.Error(a, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
}
