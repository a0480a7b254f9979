package corpus_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// room is the database that all trials share. Each has a source of its own.
type room struct {
	db    *testdb.DB
	store *store.Store
	seal  *raw.Seal
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{db: testdb.New(t)}
	var err error
	r.store, err = store.Open(t.Context(), r.db.URL, store.Options{Now: time.Now})
	require.NoError(t, err)
	t.Cleanup(r.store.Close)
	r.seal, err = raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(t, err)
	return r
}

// trial is three days of one source, of which the second goes wrong in one way.
type trial struct {
	*testing.T
	*room
	shape  *shape
	nth    int
	begin  time.Time // of the first snapshot
	source *ingest.Source
	runner *ingest.Runner
	now    time.Time
	clock  time.Time // when the next snapshot is read; zero: soon after its instant
	dir    string
	files  int
	since  int64 // the last event of all before it began
}

// apart is how many days lie between the first snapshots of two trials of a shape: its people are the same, in the
// same county, and only the days tell their bookings apart.
const apart = 21

func newTrial(t *testing.T, r *room, s *shape, nth, of int) *trial {
	t.Helper()
	c := &trial{T: t, room: r, shape: s, nth: nth, begin: time.Date(2025, 1, 7, 12, 0, 0, 0, time.UTC).AddDate(0, 0, of*apart), dir: t.TempDir()}
	c.source = s.load(t, s.id+"-"+strconv.Itoa(of))
	c.runner = &ingest.Runner{Store: r.store, Seal: r.seal, Dir: c.dir, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return c.now }}
	require.NoError(t, r.db.Pool.QueryRow(t.Context(), `select coalesce(max(id), 0) from changes`).Scan(&c.since))
	return c
}

// read feeds the documents of one snapshot, ten minutes after its instant or, if that is later, an hour after the last.
func (c *trial) read(docs []document, at time.Time) *ingest.Report {
	c.Helper()
	if c.now = later(at.Add(10*time.Minute), c.now.Add(time.Hour)); !c.clock.IsZero() {
		c.now = c.clock
	}
	c.files++
	dir := filepath.Join(c.dir, strconv.Itoa(c.files))
	require.NoError(c, os.MkdirAll(dir, 0o700))
	in := ingest.Input{At: at}
	for _, d := range docs {
		file := filepath.Join(dir, d.name)
		require.NoError(c, os.WriteFile(file, d.text, 0o600))
		in.Files = append(in.Files, file)
	}
	report, err := c.runner.Run(context.WithoutCancel(c.Context()), c.source, in)
	require.NoError(c, err)
	return report
}

// ask reads the source over HTTP, from a server that answers everything with one page and status 200.
func (c *trial) ask(page []byte, at time.Time) *ingest.Report {
	c.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) }))
	defer server.Close()
	was := c.source.Transport
	defer func() { c.source.Transport = was }()
	c.source.Transport.Settings = map[string]string{"base": server.URL}
	c.source.Transport.Pause = time.Millisecond
	c.now = later(at.Add(10*time.Minute), c.now.Add(time.Hour))
	report, err := c.runner.Run(context.WithoutCancel(c.Context()), c.source, ingest.Input{})
	require.NoError(c, err)
	return report
}

// asked reports whether the source is asked for a few pages over HTTP.
func (c *trial) asked() bool {
	steps := c.source.Transport.Steps
	return len(steps) > 0 && (steps[0].Paging == nil || steps[0].Paging.By != "number")
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// good feeds a snapshot as the vendor means it.
func (c *trial) good(snapshot int, at time.Time) *ingest.Report {
	c.Helper()
	return c.read(c.shape.write(c.T, at, c.people(snapshot), -1), at)
}

// discard ends a hold as an operator does who saw that the held snapshot is wrong.
func (c *trial) discard() {
	c.Helper()
	var id string
	require.NoError(c, c.db.Pool.QueryRow(c.Context(), `select id from sources where split_part(id, ':', 1) = $1 and (held_since is not null or refused_since is not null)`, c.source.ID).Scan(&id))
	var county *models.County
	if _, slug := models.SplitScope(id); slug != "" {
		county = c.store.Counties().Find(slug)
	}
	_, err := c.runner.Release(context.WithoutCancel(c.Context()), c.source, county, ingest.Decision{Discard: true})
	require.NoError(c, err)
}

// recover feeds what a source sends after a mishap until the records are what they should be, and says how many
// snapshots that took.
func (c *trial) recover(r *ingest.Report) {
	c.Helper()
	if r.State == source.RunHeld || r.State == source.RunRefused {
		c.discard()
	}
	if c.shape.Again {
		c.good(1, c.at(1).Add(2*time.Hour))
	}
	var last *ingest.Report
	for n := range 3 { // a source that does not prove its end is believed at the second
		at := c.at(2).Add(time.Duration(n) * 25 * time.Hour)
		last = c.good(2, at)
		if c.differs(2) == "" {
			return
		}
	}
	require.Empty(c, c.differs(2), "after good snapshots the records are as if nothing had happened; the mishap: %s\nthe last: %s", r, last)
}
