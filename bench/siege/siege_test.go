package siege

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// shape is one way to attack.
type shape struct {
	name string
	// workers is how many requests are under way at once.
	workers int
	// begin prepares an attack. It returns what a worker does again and again, and then says in a word what came of it.
	begin func(a *attacker) step
}

// step is what worker w does the i-th time. It returns the status, or another word for what became of it.
type step func(ctx context.Context, w, i int) string

// attacker is who attacks, with an account of its own.
type attacker struct {
	t *testing.T
	*party
	target *target
	// callers are one for each worker, each from an address of its own unless the shape says otherwise.
	callers []*caller
}

// row is a line of the table.
type row struct {
	name    string
	answers map[string]int // the attacker's, by status
	lasted  time.Duration
	client  *outcome
}

// TestNobodySlowsAnother lets one attacker after the other loose.
func TestNobodySlowsAnother(t *testing.T) {
	t.Parallel()
	each, long := lasts()
	records := 400
	if long {
		records = 10_000
	}
	s := start(t, records)
	c := &client{party: s.party(t, "client", 0), caller: s.from("127.0.0.1"), target: s}
	c.open(t.Context(), t, c.caller)
	for i := range 20 { // what only the first request pays
		what, err := c.one(t.Context(), i)
		require.NoError(t, err, what)
	}
	var rows []*row
	for _, sh := range slices.Concat([]shape{nothing("nothing")}, shapesOfKeys(), shapesOfPages(), shapesOfFeeds(), shapesOfAnybody(), []shape{nothing("nothing, after all")}) {
		t.Run(sh.name, func(t *testing.T) { rows = append(rows, s.attack(t, sh, c, each)) })
	}
	var table strings.Builder
	show(&table, rows)
	t.Logf("%d records of each family, %s for each attack\n%s", records, each, &table)

	most, err := time.ParseDuration(os.Getenv("ROLLCALL_SIEGE_P99"))
	for _, r := range rows {
		require.Empty(t, r.client.failures, "beside %s", r.name)
		if err == nil {
			require.Less(t, r.client.quantile(.99), most, "beside %s; the slowest was %s", r.name, r.client.slowest)
		}
	}
	require.NotContains(t, s.log.String(), `"msg":"panic"`)
}

// attack runs one attack beside the client.
func (s *target) attack(t *testing.T, sh shape, c *client, each time.Duration) *row {
	t.Helper()
	a := &attacker{t: t, party: s.party(t, sh.name, models.DefaultRateLimit), target: s}
	for w := range sh.workers {
		a.callers = append(a.callers, s.from(fmt.Sprintf("127.0.1.%d", w%250+1)))
	}
	do := sh.begin(a)
	r := &row{name: sh.name, answers: map[string]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), each)
	defer cancel()
	begun := time.Now()
	var wg sync.WaitGroup
	var mu sync.Mutex
	for w := range sh.workers {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				word := do(ctx, w, i)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				r.answers[word]++
				mu.Unlock()
			}
		})
	}
	r.client = c.ask(ctx)
	wg.Wait()
	r.lasted = time.Since(begun)
	for _, c := range a.callers {
		c.http.CloseIdleConnections()
	}
	s.settle(t, c)
	return r
}

// settle waits for a while until the service has nothing left to do for the attack, so that the next one is measured alone.
func (s *target) settle(t *testing.T, c *client) {
	t.Helper()
	for range 50 {
		at := time.Now()
		what, err := c.one(t.Context(), 1)
		require.NoError(t, err, what)
		if time.Since(at) < 20*time.Millisecond {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
}

// nothing is no attack.
func nothing(name string) shape { return shape{name, 0, func(*attacker) step { return nil }} }

// show prints the table.
func show(to *strings.Builder, rows []*row) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "beside\tattacker\trequests\tmedian ms\tp99 ms\tworst ms\t\tfailed")
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	for _, r := range rows {
		o := r.client
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%d\n", r.name, r.said(), len(o.took), ms(o.quantile(.5)), ms(o.quantile(.99)), ms(o.quantile(1)), o.slowest, len(o.failures))
	}
	_ = w.Flush() // a builder takes everything
}

// said returns what the attacker was answered, in a second.
func (r *row) said() string {
	words := make([]string, 0, len(r.answers))
	for word := range r.answers {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Compare(r.answers[b], r.answers[a]) })
	var b bytes.Buffer
	for _, word := range words {
		fmt.Fprintf(&b, "%s: %.0f/s ", word, float64(r.answers[word])/r.lasted.Seconds())
	}
	return strings.TrimSpace(b.String())
}
