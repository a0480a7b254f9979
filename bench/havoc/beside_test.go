package havoc

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
)

// mostMedian is what half of the answers to another caller may take, where time is asserted.
const mostMedian = 50 * time.Millisecond

// beside is another caller, of another account, who asks for one list again and again.
type beside struct {
	mu   sync.Mutex
	took []time.Duration
	// wrong are answers other than 200.
	wrong []string
}

// watch asks every 50 ms until ctx ends.
func (b *beside) watch(ctx context.Context, root, key string) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		at := time.Now()
		status, err := asked(ctx, root+"/v1/roster?limit=5&name=wren", key)
		if ctx.Err() != nil {
			return
		}
		b.mu.Lock()
		b.took = append(b.took, time.Since(at))
		if err != nil {
			b.wrong = append(b.wrong, err.Error())
		} else if status != http.StatusOK {
			b.wrong = append(b.wrong, http.StatusText(status))
		}
		b.mu.Unlock()
	}
}

// asked sends a GET and returns its status.
func asked(ctx context.Context, url, key string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := (&http.Client{}).Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// ends asserts that all was answered, prints the median, and asserts it where time is asserted.
func (b *beside) ends(a *attack, timed bool) {
	a.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(a.t, b.wrong, "answers to another caller")
	if len(b.took) == 0 {
		return
	}
	slices.Sort(b.took)
	median := b.took[len(b.took)/2]
	a.t.Logf("another caller: %d answers, median %s, worst %s", len(b.took), median.Round(time.Microsecond*100), b.took[len(b.took)-1].Round(time.Millisecond))
	if timed {
		require.LessOrEqual(a.t, median, mostMedian, "another caller's median")
	}
}
