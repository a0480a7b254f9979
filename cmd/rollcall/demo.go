package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"rollcall/auth"
	"rollcall/ingest"
	"rollcall/internal/pg"
	"rollcall/internal/simulator"
	"rollcall/models"
)

type demoCmd struct {
	Port  int           `default:"8080" help:"Port of the API on this machine; 0 takes a free one. Default ${default}."`
	Fresh bool          `help:"Forget the demo's data and start over."`
	Chaos bool          `help:"Let some sources misbehave: cut pages, a captcha, another layout, repeated pages, late files, errors that look well."`
	Pace  time.Duration `default:"3s" help:"Mean time between two happenings in the jails. Default ${default}."`
}

// demoAccount is who the demo's key belongs to.
const (
	demoName  = "Demo"
	demoEmail = "demo@rollcall.example"
	demoLabel = "demo"
	saveEvery = 20 * time.Second
)

// Run starts everything on this machine: database, invented sources, ingest, API.
func (c demoCmd) Run(ctx context.Context, a *App) (err error) {
	if err := c.settle(ctx, a); err != nil {
		return err
	}
	if c.Fresh {
		if err := forgetDemo(ctx, a); err != nil {
			return err
		}
	}
	var invented atomic.Pointer[world]
	a.invented = func(id string) *ingest.Source {
		if w := invented.Load(); w != nil {
			return w.sources[id]
		}
		return nil
	}
	_, _ = fmt.Fprintln(a.Stdout, "Starting the database ...")
	s, err := a.start(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := onlyDemo(ctx, s.store); err != nil {
		return err
	}
	w, err := c.startWorld(ctx, a)
	if err != nil {
		return err
	}
	defer w.stop()
	invented.Store(w)
	if err := c.firstRuns(ctx, a, s, w); err != nil {
		return err
	}
	if c.Chaos {
		if err := w.misbehave(a.Stdout); err != nil {
			return err
		}
	}
	key, err := demoKey(ctx, s)
	if err != nil {
		return err
	}
	alerts, err := c.startAlerts(ctx, a, s, w)
	if err != nil {
		return err
	}
	defer alerts.stop(a)
	j, err := a.startJobs(ctx, s.url, jobOptions{sources: w.sources, observe: s.api.metrics.delivery.observe, authority: alerts.authority})
	if err != nil {
		return err
	}
	defer j.stop()
	address, err := demoDoor(ctx, a, s)
	if err != nil {
		return err
	}
	c.welcome(a, s, key, address)
	err = s.wait(ctx)
	_, _ = fmt.Fprintln(a.Stdout, "\nStopping ...")
	return err
}

// settle fills in what the environment leaves open: a demo listens on this machine only.
func (c demoCmd) settle(ctx context.Context, a *App) error {
	if a.unset("ROLLCALL_ADDR") {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", c.Port))
		if err != nil {
			return fmt.Errorf("port %d is taken; choose another with --port: %w", c.Port, err)
		}
		a.Addr = l.Addr().String() // port 0 is any free one
		if err := l.Close(); err != nil {
			return fmt.Errorf("try port %d: %w", c.Port, err)
		}
	}
	if a.unset("ROLLCALL_BASE_URL") {
		_, port, _ := net.SplitHostPort(a.Addr)
		a.BaseURL = "http://localhost:" + port + "/v1"
	}
	if a.unset("ROLLCALL_METRICS_ADDR") {
		a.MetricsAddr = "127.0.0.1:0"
	}
	return nil
}

func demoState(a *App) string { return filepath.Join(a.DataDir, "demo.json") }

// forgetDemo deletes the demo's database and world, and nothing that is not the demo's.
func forgetDemo(ctx context.Context, a *App) error {
	if a.DatabaseURL != "" {
		return errors.New("--fresh deletes only the embedded database: with ROLLCALL_DATABASE_URL, make a new database yourself")
	}
	_, err := os.Stat(filepath.Join(a.DataDir, "pg"))
	_, marked := os.Stat(demoState(a))
	if err == nil && marked != nil {
		return fmt.Errorf("%s holds data that no demo made; --fresh does not delete it", a.DataDir)
	}
	if err := pg.Remove(ctx, a.DataDir); err != nil {
		return err
	}
	if err := os.Remove(demoState(a)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the demo's world: %w", err)
	}
	return nil
}

// onlyDemo keeps invented people out of a database of real ones.
func onlyDemo(ctx context.Context, store *models.Store) error {
	sources, err := store.Sources(ctx)
	if err != nil {
		return err
	}
	for _, src := range sources {
		if !strings.HasPrefix(src.ID, demoPrefix) {
			return fmt.Errorf("the database holds records of source %s: the demo never mixes with real data; set ROLLCALL_DATA_DIR (or ROLLCALL_DATABASE_URL) to another place", src.ID)
		}
	}
	return nil
}

// firstRuns reads every source once and links what they tell, so that the first question already has
// an answer.
func (c demoCmd) firstRuns(ctx context.Context, a *App, s *service, w *world) error {
	runner, err := a.runner(s.store)
	if err != nil {
		return err
	}
	known, err := s.store.Sources(ctx)
	if err != nil {
		return err
	}
	if len(known) == 0 {
		_, _ = fmt.Fprintln(a.Stdout, "Taking over what was before ...")
		if err := takePast(ctx, a, s, w); err != nil {
			return err
		}
	}
	for i, src := range w.order {
		_, _ = fmt.Fprintf(a.Stdout, "Reading source %d of %d: %s\n", i+1, len(w.order), src.Title)
		report, err := runner.Run(ctx, src, ingest.Input{})
		if err != nil {
			return err
		}
		if report.State == models.RunFailed {
			return fmt.Errorf("read %s: %s", src.ID, report.Note)
		}
		if err := s.store.EnableSource(ctx, src.ID, true); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintln(a.Stdout, "Linking bookings with corrections records ...")
	_, err = a.linker(s.store).Run(ctx, false)
	return err
}

// demoKey makes a key for the demo's account and revokes the one of the start before.
func demoKey(ctx context.Context, s *service) (auth.Key, error) {
	account, err := s.store.AccountByEmail(ctx, demoEmail)
	if models.CodeOf(err) == models.CodeNotFound {
		account = &models.Account{Name: demoName, Email: demoEmail, Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
		err = s.store.CreateAccount(ctx, account)
	}
	if err != nil {
		return auth.Key{}, err
	}
	old, err := s.store.Keys(ctx, account.ID)
	if err != nil {
		return auth.Key{}, err
	}
	for _, k := range old {
		if k.Label == demoLabel && k.RevokedAt == nil {
			if err := s.store.RevokeKey(ctx, k.ID, time.Now()); err != nil {
				return auth.Key{}, err
			}
			s.api.keys.Forget(k.ID)
		}
	}
	key := auth.NewKey()
	sum := key.SHA256()
	return key, s.store.CreateKey(ctx, &models.APIKey{AccountID: account.ID, Label: demoLabel, Prefix: key.Prefix(), SHA256: sum[:]})
}

// welcome prints where everything is, and three commands to paste.
func (c demoCmd) welcome(a *App, s *service, key auth.Key, door string) {
	root := a.root()
	bearer := `-H "Authorization: Bearer ` + key.Reveal() + `"`
	_, _ = fmt.Fprintf(a.Stdout, `
rollcall is serving invented people of Georgia; something happens in its jails every %s.

  Dashboard  %s
  API        %s
  GraphQL    %s/graphql
  Reference  %s/docs
  API key    %s
  Metrics    %s

Try:
  curl -s %s "%s/roster?limit=3"
  curl -s %s "%s/corrections?status=incarcerated&limit=3"
  curl -s %s -H "Content-Type: application/json" %s/graphql -d '{"query":"{ roster(limit: 3) { total records { name county { name } charges bondAmount gdcMatch { confidence reasons record { institution } } } } }"}'

Webhooks of the demo's %d watchers arrive here as soon as a jail tells what happens to them, each verified by both signatures.
Ctrl-C stops; the data stay for the next start.
`, c.Pace, door, a.BaseURL, root, root, key.Reveal(), s.metricsPlace(), bearer, a.BaseURL, bearer, a.BaseURL, bearer, root, demoWatched)
}

// world is the simulator, running, with a source document for each of its feeds.
type world struct {
	sources map[string]*ingest.Source
	sim     *simulator.Simulator
	order   []*ingest.Source // statewide corrections first, so that links are found at once
	foresee func(time.Duration) iter.Seq[simulator.Activity]
	stop    func()
}

func (c demoCmd) startWorld(ctx context.Context, a *App) (*world, error) {
	state, err := simulator.Load(demoState(a))
	if err != nil {
		return nil, err
	}
	sim, err := simulator.New(simulator.Options{Seed: 1, Now: time.Now, Pace: c.Pace, Resume: state, Rosters: demoRosters()})
	if err != nil {
		return nil, err
	}
	if err := sim.Save(demoState(a)); err != nil {
		return nil, err
	}
	listener, err := simulator.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &world{sim: sim, sources: map[string]*ingest.Source{}, foresee: sim.Foresee}
	for _, feed := range sim.Feeds() {
		src, err := demoSource(feed, "http://"+listener.Addr().String(), c.Pace)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		w.sources[src.ID] = src
		w.order = append(w.order, src)
	}
	orderByKind(w.order)
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := sim.Serve(living, listener); err != nil {
			a.Log.ErrorContext(living, "serve invented sources", "error", err)
		}
	}()
	go saveWorld(living, a, sim)
	w.stop = func() {
		end()
		<-done
		if err := sim.Save(demoState(a)); err != nil {
			a.Log.ErrorContext(ctx, "save the demo's world", "error", err)
		}
	}
	return w, nil
}

func saveWorld(ctx context.Context, a *App, sim *simulator.Simulator) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := sim.Save(demoState(a)); err != nil {
				a.Log.ErrorContext(ctx, "save the demo's world", "error", err)
			}
		}
	}
}
