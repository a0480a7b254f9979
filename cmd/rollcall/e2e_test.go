package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/pg"
	"rollcall/internal/race"
	"rollcall/internal/receiver"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
)

// subscriber is a receiver that believes only what both schemes prove, by an independent library and by a plain HMAC. It
// may be told to hold requests without an answer.
type subscriber struct {
	secret  string
	library *standardwebhooks.Webhook

	mu       sync.Mutex
	forged   int
	facts    map[string]map[string]bool // by "alert event record": the webhook-ids that it came with
	bodies   map[string]map[string]bool // by webhook-id
	requests int
	arrived  chan struct{}
	hold     chan struct{} // nil: answer at once; else when it is closed
}

// ServeHTTP takes a delivery.
func (s *subscriber) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	mac := hmac.New(sha256.New, []byte(s.secret))
	mac.Write(body)
	var p struct {
		Event   string `json:"event"`
		AlertID string `json:"alert_id"`
		Record  struct {
			ID string `json:"id"`
		} `json:"record"`
	}
	genuine := hmac.Equal([]byte(r.Header.Get("X-Service-Signature")), []byte(hex.EncodeToString(mac.Sum(nil)))) &&
		s.library.Verify(body, r.Header) == nil && json.Unmarshal(body, &p) == nil
	s.mu.Lock()
	if genuine {
		id := r.Header.Get("Webhook-Id")
		add(s.facts, p.AlertID+" "+p.Event+" "+p.Record.ID, id)
		add(s.bodies, id, string(body))
		s.requests++
	} else {
		s.forged++
	}
	hold := s.hold
	s.mu.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	if hold != nil {
		<-hold
		panic(http.ErrAbortHandler) // whoever sent it is dead
	}
}

func add(m map[string]map[string]bool, key, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

func (s *subscriber) holding(hold chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = hold
}

// field is a database of its own, the binary, and the files that a jail sends.
type field struct {
	t       testing.TB
	binary  string
	dir     string
	server  *pg.Server
	env     []string
	store   *store.Store
	account string
	base    string // of the API, where one serves
	key     string // of the account
}

func newField(t *testing.T, caFile string) *field {
	t.Helper()
	f := &field{t: t, binary: cmdtest.Binary(t), dir: t.TempDir()}
	t.Cleanup(func() {
		require.NoError(t, f.server.Stop())
		require.NoError(t, pg.Remove(context.Background(), f.dir))
	})
	f.startDatabase()
	f.env = append(os.Environ(), "ROLLCALL_DATABASE_URL="+f.server.URL(), "ROLLCALL_DATA_DIR="+f.dir, "ROLLCALL_LOG_LEVEL=info",
		"ROLLCALL_SECRET_KEY="+strings.Repeat("k", 40), "ROLLCALL_WEBHOOK_ALLOW=127.0.0.1", "ROLLCALL_WEBHOOK_CA_FILE="+caFile)
	app := &service.App{Config: service.Config{DatabaseURL: f.server.URL(), DataDir: f.dir, SecretKey: strings.Repeat("k", 40)}}
	store, done, err := app.Store(t.Context())
	require.NoError(t, err)
	t.Cleanup(done)
	f.store = store
	return f
}

func (f *field) startDatabase() {
	f.t.Helper()
	var err error
	f.server, err = pg.Start(f.t.Context(), pg.Options{Dir: f.dir, BinDir: os.Getenv("ROLLCALL_PG_BIN")})
	require.NoError(f.t, err)
}

// killDatabase ends the server the hard way and starts it again on what it left.
func (f *field) killDatabase() {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.dir, "pg", "*", "postmaster.pid"))
	require.NoError(f.t, err)
	require.Len(f.t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(f.t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(f.t, err)
	require.NoError(f.t, syscall.Kill(pid, syscall.SIGKILL))
	<-f.server.Done()
	_ = f.server.Stop() // frees the directory; it says how the server ended
	// The backends notice within moments that their server is gone; until then a new one refuses to start.
	require.Eventually(f.t, func() bool {
		server, err := pg.Start(f.t.Context(), pg.Options{Dir: f.dir, BinDir: os.Getenv("ROLLCALL_PG_BIN")})
		if err != nil {
			f.t.Log("the database does not start yet:", err)
			return false
		}
		f.server = server
		return true
	}, time.Minute, 200*time.Millisecond)
}

// worker is a rollcall work process.
type worker struct {
	t   testing.TB
	cmd *exec.Cmd
	log workerLog
}

// workerLog keeps what a worker says and tells when it is up: what dies before that is a failed start, which is not lost
// work but its supervisor's to repeat.
type workerLog struct {
	mu   sync.Mutex
	text bytes.Buffer
	up   chan struct{}
}

// Write implements io.Writer.
func (l *workerLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := bytes.Contains(l.text.Bytes(), []byte("working jobs"))
	l.text.Write(p)
	if !before && bytes.Contains(l.text.Bytes(), []byte("working jobs")) {
		close(l.up)
	}
	return len(p), nil
}

// String is everything that was said.
func (l *workerLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// work starts a worker and returns when it is up.
func (f *field) work() *worker {
	f.t.Helper()
	w := &worker{t: f.t, cmd: exec.CommandContext(f.t.Context(), f.binary, "work"), log: workerLog{up: make(chan struct{})}}
	w.cmd.Env, w.cmd.Stderr = f.env, &w.log
	require.NoError(f.t, w.cmd.Start())
	f.t.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
		if f.t.Failed() {
			f.t.Logf("worker %d said:\n%s", w.cmd.Process.Pid, w.log.String())
		}
	})
	select {
	case <-w.log.up:
	case <-time.After(time.Minute):
		require.Fail(f.t, "the worker does not start")
	}
	return w
}

// kill ends the process without any last word.
func (w *worker) kill() {
	w.t.Helper()
	require.NoError(w.t, w.cmd.Process.Kill())
	_ = w.cmd.Wait()
}

// stop ends the process as a deploy does.
func (w *worker) stop() {
	w.t.Helper()
	require.NoError(w.t, w.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(w.t, w.cmd.Wait(), "stderr:\n%s", &w.log)
}

// jail sends a snapshot of every person with this bond, by a rollcall ingest process.
func (f *field) jail(names []string, booked, at time.Time, bond int) {
	f.t.Helper()
	file := cmdtest.Snapshot(f.t, f.dir, names, booked, at, bond)
	cmd := exec.CommandContext(f.t.Context(), f.binary, "ingest", "--source", "common-csv", "--file", file)
	cmd.Env = f.env
	out, err := cmd.CombinedOutput()
	require.NoError(f.t, err, "%s", out)
}

// The whole way with real processes: a jail's file becomes events, events become webhooks over TLS, and nothing that dies
// on the way loses one or gives one two ids. It runs by itself: an endpoint that a busy machine makes slow is retried late.
func TestAlertsOutliveEverythingThatDies(t *testing.T) {
	race.Skip(t, "it kills processes that are built without it")
	cert, err := receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	caFile := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, writeFile(caFile, cert.PEM()))
	s := &subscriber{facts: map[string]map[string]bool{}, bodies: map[string]map[string]bool{}, arrived: make(chan struct{}, 1)}
	receiver := httptest.NewUnstartedServer(s)
	receiver.TLS = cert.Server()
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	f := newField(t, caFile)
	names := []string{
		"MOONSAIL, WREN", "QUILLFEATHER, ORLA", "BRACKENRIDGE, TOLLIVER", "THISTLEDOWN, PIP", "ABERNETHY, QUENTIN", "LARKSPUR, IGNATIUS",
		"OSTRANDER, BEATRIX", "FENWICKE, HORATIO", "VANTONGEREN, ZELDA", "MCGILLICUDDY, CASPIAN",
	}
	secret, watchers := f.subscribe(receiver.URL+"/hook", names)
	s.secret = secret
	s.library, err = standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	booked := time.Now().Add(-time.Hour)

	t.Log("a worker is killed while what it sent is on the wire")
	hold := make(chan struct{})
	s.holding(hold)
	first := f.work()
	f.jail(names, booked, time.Now().Add(-30*time.Minute), 1000)
	<-s.arrived
	first.kill()
	close(hold)
	s.holding(nil)

	t.Log("another takes over; the database is killed while it works")
	second := f.work()
	<-s.arrived
	f.jail(names, booked, time.Now().Add(-20*time.Minute), 2000)
	f.killDatabase()
	f.await(s, 20)
	second.stop()

	t.Log("a deleted watcher is told nothing more, the others are")
	f.ask(http.MethodDelete, "/alerts/"+watchers[0], "", http.StatusNoContent)
	f.work()
	f.jail(names, booked, time.Now().Add(-10*time.Minute), 3000)
	f.await(s, 20+9)
	f.settled(29)

	s.mu.Lock()
	defer s.mu.Unlock()
	require.Zero(t, s.forged, "everything verified")
	for fact, ids := range s.facts {
		if strings.Contains(fact, " bond_change ") {
			require.LessOrEqual(t, len(ids), 2, "each of the two changes of %s has one id", fact)
		} else {
			require.Len(t, ids, 1, "%s has one id", fact)
		}
	}
	for id, bodies := range s.bodies {
		require.Len(t, bodies, 1, "%s had the same bytes each time", id)
	}
	require.Len(t, s.bodies, 29)
	t.Logf("29 events in %d requests", s.requests)
}

// await waits until the subscriber knows n events.
func (f *field) await(s *subscriber, n int) {
	f.t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		s.mu.Lock()
		got := len(s.bodies)
		s.mu.Unlock()
		if got >= n {
			return
		}
		select {
		case <-s.arrived:
		case <-deadline:
			require.Failf(f.t, "events are missing", "%d of %d came; deliveries: %v", got, n, f.standing())
		}
	}
}

// settled waits until all of n deliveries had an attempt, and there are no others. On a busy machine one may have failed
// although it arrived, and waits for its retry; that of the deleted watcher, with its two events, is cancelled instead.
func (f *field) settled(n int) {
	f.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		got := f.standing()
		attempted := got[models.DeliveryDelivered] + got[models.DeliveryFailed] + got[models.DeliveryDropped]
		if attempted == n && got[models.DeliveryPending] == 0 && got[models.DeliveryDropped] <= 2 {
			return
		}
		require.True(f.t, time.Now().Before(deadline), "deliveries stand at %v, not %d delivered", got, n)
		<-time.After(100 * time.Millisecond)
	}
}

func (f *field) standing() map[models.DeliveryState]int {
	page, err := f.store.Deliveries(f.t.Context(), f.account, models.DeliveryFilter{}, models.Page{Limit: 200})
	if err != nil {
		return nil
	}
	out := map[models.DeliveryState]int{}
	for _, d := range page.Deliveries {
		out[d.State]++
	}
	return out
}
