package photograph_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/photograph"
	"rollcall/ingest/raw"
	"rollcall/internal/testdb"
	"rollcall/models/store"
	"rollcall/photo/vault"
)

// bundle is a county's page with photographs on this machine, and what takes them.
type bundle struct {
	*testing.T
	db     *testdb.DB
	store  *store.Store
	runner *ingest.Runner
	taker  *photograph.Taker
	vault  *vault.Vault
	now    time.Time
	files  string // where files are dropped

	sources map[string]*ingest.Source
	site    *httptest.Server
	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by path
	asked   map[string]int
}

// setup keeps pictures in a directory.
func setup(t *testing.T) *bundle {
	t.Helper()
	return setupIn(t, filepath.Join(t.TempDir(), "pictures"), vault.Keys{})
}

// setupIn keeps pictures in a place of any kind.
func setupIn(t *testing.T, address string, keys vault.Keys) *bundle {
	t.Helper()
	b := &bundle{
		T: t, db: testdb.New(t), now: time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC), files: t.TempDir(),
		sources: map[string]*ingest.Source{}, answers: map[string]http.HandlerFunc{}, asked: map[string]int{},
	}
	clock := func() time.Time { return b.now }
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{Now: clock})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	seal, err := raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	b.runner = &ingest.Runner{Store: b.store, Seal: seal, Dir: t.TempDir(), Log: log, Now: clock}
	v, err := vault.Open(t.Context(), address, keys)
	require.NoError(t, err)
	b.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.asked[r.URL.Path]++
		answer := b.answers[r.URL.Path]
		b.mu.Unlock()
		if answer == nil {
			http.NotFound(w, r)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(b.site.Close)
	b.vault = v
	b.taker = &photograph.Taker{Store: b.store, Runner: b.runner, Log: log, Now: clock, Find: func(id string) (*ingest.Source, error) {
		if s := b.sources[id]; s != nil {
			return s, nil
		}
		return nil, os.ErrNotExist
	}, Vault: func(context.Context) (*vault.Vault, error) { return v, nil }}
	return b
}

// answer has the site answer a path from now on.
func (b *bundle) answer(path string, do http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[path] = do
}

// says has the site answer a path with bytes.
func (b *bundle) says(path string, body []byte) {
	b.answer(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
}

// timesAsked is how often a path was asked for.
func (b *bundle) timesAsked(path string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked[path]
}

const basis = "Agreement with the sheriff of 2 March 2026"

// document is a source whose rows name photographs.
const document = `id: ID
title: A jail
kind: roster
county: clarke
publish: {policy: full_roster, absence: released, confirmations: 2}
transport: TRANSPORT
decode: {format: csv}
fields:
  booking:
    number: id
    booked_at: {from: booked, layouts: ['2006-01-02 15:04']}
    released_at: {from: out, layouts: ['2006-01-02 15:04']}
    photograph: {from: picture}
  person: {name: name, dob: {from: dob, layouts: ['2006-01-02']}}
identity:
  booking: [{of: [booking.number], strength: source}]
privacy: {photographs: BASIS, photograph_days: 7}
`

// source makes a source. Its transport is a page of the site, or the folder of files.
func (b *bundle) source(id string, dropped bool) *ingest.Source {
	b.Helper()
	transport := "{kind: http, pause: 1ms, private: true, steps: [{url: '" + b.site.URL + "/list.csv', keep: true}]}"
	if dropped {
		transport = `{kind: folder, folder: "` + b.files + `", pattern: '\.csv$'}`
	}
	s, err := ingest.Parse([]byte(strings.NewReplacer("ID", id, "TRANSPORT", transport, "BASIS", basis).Replace(document)))
	require.NoError(b, err)
	b.sources[id] = s
	return s
}

const header = "id,name,dob,booked,out,picture\n"

// row is a row of a document.
func row(id, name, picture string) string {
	return id + "," + `"` + name + `",1980-01-02,2026-03-01 10:00,,"` + picture + "\"\n"
}

// reads has a source read a list, a minute later.
func (b *bundle) reads(s *ingest.Source, rows ...string) {
	b.Helper()
	b.now = b.now.Add(time.Minute)
	text := header + strings.Join(rows, "")
	if s.Transport.Drops() {
		file := filepath.Join(b.files, "list-"+b.now.Format("150405")+".csv")
		require.NoError(b, os.WriteFile(file, []byte(text), 0o600))
		require.NoError(b, os.Chtimes(file, b.now, b.now))
	} else {
		b.says("/list.csv", []byte(text))
	}
	report, err := b.runner.Run(b.Context(), s, ingest.Input{})
	require.NoError(b, err)
	require.NotEqual(b, "failed", string(report.State), report.Note)
}

// pass lets the jobs take away what may not be kept and make one pass, a minute later.
func (b *bundle) pass() {
	b.Helper()
	b.now = b.now.Add(time.Minute)
	b.end()
	worker := &photograph.Worker{Taker: b.taker}
	require.NoError(b, worker.Work(b.Context(), &river.Job[photograph.Args]{}))
}

// end lets the job take away what may not be kept.
func (b *bundle) end() {
	b.Helper()
	worker := &photograph.EndWorker{Taker: b.taker}
	require.NoError(b, worker.Work(b.Context(), &river.Job[photograph.EndArgs]{}))
}

// text is the one value that a statement returns.
func (b *bundle) text(sql string, args ...any) (s string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&s))
	return s
}

// photographs lists the bookings that show one, and what became of each reference.
func (b *bundle) photographs() (shown, references string) {
	b.Helper()
	return b.text(`select coalesce(string_agg(b.name || case when exists (select from published_photographs p where p.rid = b.rid) then '' else ' (leads nowhere)' end, '; ' order by name), '') from published_bookings b where has_photo`),
		b.text(`select coalesce(string_agg(key || ' ' || state || coalesce(' ' || reason, ''), '; ' order by source_id, key), '') from photographs`)
}

// pictures counts the files of the vault.
func (b *bundle) pictures() (n int) {
	b.Helper()
	require.NoError(b, b.vault.Each(b.Context(), func(string, time.Time) error { n++; return nil }))
	return n
}

// drawn is a picture in one colour and its shade.
func drawn(shade uint8) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 120, 150))
	for y := range 150 {
		for x := range 120 {
			m.SetRGBA(x, y, color.RGBA{shade, uint8(x), uint8(y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}
