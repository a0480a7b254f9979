package demo

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/internal/simulator"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// chaos is the demo's world and pipeline with a clock that the test sets.
type chaos struct {
	*testing.T
	db      *testdb.DB
	store   *store.Store
	runner  *ingest.Runner
	sim     *simulator.Simulator
	sources map[string]*ingest.Source // by feed
	now     time.Time
}

func newChaos(t *testing.T) *chaos {
	t.Helper()
	return newWorld(t, simulator.Options{Seed: 7, People: 3000, Pace: time.Second, Rosters: rosters()})
}

// newWorld is the pipeline with a world of one's own, served through what the test puts before it.
func newWorld(t *testing.T, o simulator.Options, before ...func(http.Handler) http.Handler) *chaos {
	t.Helper()
	c := &chaos{T: t, db: testdb.New(t), now: time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC), sources: map[string]*ingest.Source{}}
	clock := func() time.Time { return c.now }
	var err error
	c.store, err = store.Open(t.Context(), c.db.URL, store.Options{Now: clock})
	require.NoError(t, err)
	t.Cleanup(c.store.Close)
	seal, err := raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(t, err)
	c.runner = &ingest.Runner{Store: c.store, Seal: seal, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler), Now: clock}
	o.Now, o.Founded = clock, c.now.Add(-24*time.Hour)
	c.sim, err = simulator.New(o)
	require.NoError(t, err)
	handler := c.sim.Handler()
	for _, b := range before {
		handler = b(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	for _, feed := range c.sim.Feeds() {
		c.sources[feed.ID] = parsed(t, feed, server.URL, time.Second)
	}
	return c
}

// parsed is the document of a feed.
func parsed(t *testing.T, feed simulator.Feed, base string, pace time.Duration) *ingest.Source {
	t.Helper()
	text, err := document(feed, base, pace)
	require.NoError(t, err)
	s, err := ingest.Parse([]byte(text))
	require.NoError(t, err, text)
	return s
}

func (c *chaos) read(feed string) *ingest.Report {
	c.Helper()
	report, err := c.runner.Run(c.Context(), c.sources[feed], ingest.Input{})
	require.NoError(c, err)
	return report
}

// released counts the bookings of a feed's county that are over.
func (c *chaos) released(feed string) (n int) {
	c.Helper()
	err := c.db.Pool.QueryRow(c.Context(), `select count(*) from bookings b join roster_claims g on g.record = b.rid where g.source_id = $1 and b.released_at is not null`, sourceID(feed)).Scan(&n)
	require.NoError(c, err)
	return n
}

func (c *chaos) shown(feed string) *models.Source {
	c.Helper()
	all, err := c.store.Sources(c.Context())
	require.NoError(c, err)
	return all[slices.IndexFunc(all, func(s *models.Source) bool { return s.ID == sourceID(feed) })]
}

func TestTheDemoServesAtLeastSixVendors(t *testing.T) {
	t.Parallel()
	vendors := map[string]bool{}
	for _, r := range rosters() {
		vendors[r.Shape] = true
	}
	require.GreaterOrEqual(t, len(vendors), 6)
}

func TestTheDemoReadsASlowWorldNoMoreThanTenTimesInAPace(t *testing.T) {
	t.Parallel()
	feed := simulator.Feed{ID: "zuercher/ware", Shape: simulator.ShapeZuercher, County: "ware", Interval: 5 * time.Second}
	for pace, every := range map[time.Duration]time.Duration{3 * time.Second: 5 * time.Second, time.Hour: 6 * time.Minute} {
		s := parsed(t, feed, "http://127.0.0.1:1", pace)
		require.Equal(t, ingest.Timing{Every: every, Jitter: every / 5, Data: every}, s.Schedule, "at a pace of %s", pace)
	}
}

func TestSourcesThatMisbehaveReleaseNobodyAndSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := newChaos(t)
	for feed := range c.sources {
		require.Contains(t, []source.RunState{source.RunOK, source.RunPartial}, c.read(feed).State, feed)
		require.NoError(t, c.store.EnableSource(t.Context(), sourceID(feed), true))
		require.Equal(t, models.SourceOK, c.shown(feed).State(), feed)
	}
	faults := simulator.SomeChaos(c.sim.Feeds())
	require.Len(t, faults, 6)
	require.NoError(t, c.sim.SetChaos(faults))
	c.now = c.now.Add(5 * time.Minute) // some hundred things happen
	before := map[string]int{}
	for feed, fault := range faults {
		before[feed] = c.released(feed)
		r := c.read(feed)
		s := c.shown(feed)
		require.NotNil(t, s.Note, "%s of %s: %s", fault, feed, r)
		t.Logf("%s, %s: %s, %s", feed, fault[0], s.State(), *s.Note)
		require.False(t, r.Complete, "%s: %s", feed, r)
		require.Zero(t, r.Closed, "%s: %s", feed, r)
		require.Equal(t, before[feed], c.released(feed), feed)
		want := []models.SourceState{models.SourceLate, models.SourceDown} // whatever it answers
		if fault[0] == simulator.Captcha {
			want = []models.SourceState{models.SourceRefused}
		}
		require.Contains(t, want, s.State(), "%s of %s: %s", fault, feed, *s.Note)
	}
	require.NoError(t, c.sim.SetChaos(nil))
	last := map[string]*ingest.Report{}
	for range 6 { // some want to see an absence confirmed
		c.now = c.now.Add(10 * time.Minute)
		for feed := range faults {
			last[feed] = c.read(feed)
		}
	}
	for feed, fault := range faults {
		r := last[feed]
		require.Contains(t, []source.RunState{source.RunOK, source.RunPartial}, r.State, "%s: %s", feed, r)
		require.Equal(t, models.SourceOK, c.shown(feed).State(), "%s is well again after %s", feed, fault[0])
		if !strings.HasPrefix(feed, simulator.ShapeCommonCSV) { // whose releases are stated
			require.Greater(t, c.released(feed), before[feed], "%s goes on: %s", feed, r)
		}
	}
}
