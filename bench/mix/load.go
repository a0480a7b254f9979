package mix

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// request is one call of the mix. With a body it is a POST.
type request struct {
	path string
	body string
}

// loader sends requests to a service as fast as it answers. It is safe for concurrent use.
type loader struct {
	client *http.Client
	base   string
	key    string
}

// measured is the outcome of a run.
type measured struct {
	// took has the time of each request that was answered with 200, sorted.
	took []time.Duration
	// failed counts the others. Requests that were cut off by the end of the run count nowhere.
	failed int
	lasted time.Duration
}

// perSecond returns the requests answered in a second.
func (m *measured) perSecond() float64 { return float64(len(m.took)) / m.lasted.Seconds() }

// quantile returns a quantile in milliseconds, or 0 when nothing was answered.
func (m *measured) quantile(q float64) float64 {
	if len(m.took) == 0 {
		return 0
	}
	return float64(m.took[min(int(q*float64(len(m.took))), len(m.took)-1)].Microseconds()) / 1000
}

// run sends requests in turn over a number of connections for some time. Each connection sends its next request
// when it has the answer to the last (a closed loop), so a slow service is asked less often.
func (l *loader) run(ctx context.Context, requests []request, connections int, lasts time.Duration) *measured {
	ctx, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	var next atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := &measured{}
	start := time.Now()
	for range connections {
		wg.Go(func() {
			// Each connection collects its own times, so that the lock is taken once and not for each request.
			var took []time.Duration
			failed := 0
			for ctx.Err() == nil {
				r := requests[int(next.Add(1)-1)%len(requests)]
				began := time.Now()
				status, err := l.send(ctx, r, nil)
				switch {
				case ctx.Err() != nil:
				case err != nil || status != http.StatusOK:
					failed++
				default:
					took = append(took, time.Since(began))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			out.took, out.failed = append(out.took, took...), out.failed+failed
		})
	}
	wg.Wait()
	out.lasted = time.Since(start)
	slices.Sort(out.took)
	return out
}

// send makes one request and returns the status. The answer is decoded into into if that is not nil, and read
// to its end in any case, because the connection is used again.
func (l *loader) send(ctx context.Context, r request, into any) (int, error) {
	method := http.MethodGet
	if r.body != "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, l.base+r.path, strings.NewReader(r.body))
	if err != nil {
		return 0, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+l.key)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if into != nil && resp.StatusCode == http.StatusOK {
		err = json.NewDecoder(resp.Body).Decode(into)
	}
	// An answer that is not read to its end would close the connection.
	_, copied := io.Copy(io.Discard, resp.Body)
	if err == nil {
		err = copied
	}
	return resp.StatusCode, err
}
