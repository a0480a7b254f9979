package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/internal/pg"
	"rollcall/internal/server"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/search"
)

// drainTimeout is how long requests may take to end when the service stops. It exceeds requestTimeout, so that
// every accepted request is answered.
const drainTimeout = 30 * time.Second

// Service is a running rollcall: database, list indexes, API and metrics, but no jobs. Start makes it and Stop
// ends it.
type Service struct {
	// App has the settings; Start changes none of them.
	App *App
	// Store is open until Stop.
	Store *store.Store
	// URL is that of the database. For the embedded one it names a socket.
	URL string
	// embedded is nil with ROLLCALL_DATABASE_URL.
	embedded *pg.Server
	// indexes has the list index of each family. It is empty when SQL answers lists.
	indexes map[models.Family]*search.Index
	// Listener is the API's. Its address has the actual port, also where any free one was requested.
	Listener net.Listener
	// API is what Listener serves.
	API *API
	// group runs everything that lasts until Stop. The first part that fails ends the service.
	group *errgroup.Group
	// ctx ends with the service. Event streams use it, because they outlive the draining of requests.
	ctx     context.Context //nolint:containedctx // the life of the service itself, ended by stop
	cancel  context.CancelCauseFunc
	server  *http.Server
	metrics *http.Server

	// metricsListener is nil when the metrics are off.
	metricsListener net.Listener
}

// Start brings up everything that serves, in this order: database, list indexes, caches, API, metrics. It
// starts no jobs. With an embedded database this process becomes its owner. The caller must stop the service;
// after an error everything is stopped already.
func (a *App) Start(ctx context.Context) (_ *Service, err error) {
	if err := a.CheckFiles(); err != nil {
		return nil, err
	}
	s := &Service{App: a, indexes: map[models.Family]*search.Index{}}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	s.group, s.ctx = errgroup.WithContext(s.ctx)
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	if err := s.startDatabase(ctx); err != nil {
		return nil, err
	}
	if a.ListIndex {
		s.startIndexes()
	}
	if a.ResultCache > 0 || a.RecordCache > 0 { // both are kept only while changes are followed
		s.followChanges()
	}
	if err := s.startAPI(ctx); err != nil {
		return nil, err
	}
	s.group.Go(func() error { a.ReportKeys(s.ctx, s.Store); return nil })
	return s, s.StartMetrics(ctx)
}

// startDatabase opens the store. The end of an embedded server ends the service, because no request can be
// answered without it; a supervisor can then start both again.
func (s *Service) startDatabase(ctx context.Context) (err error) {
	s.URL = s.App.DatabaseURL
	if s.URL == "" {
		if s.embedded, err = pg.Start(ctx, s.App.pgOptions()); err != nil {
			return err
		}
		s.URL = s.embedded.URL()
		s.group.Go(func() error {
			select {
			case <-s.embedded.Done():
				return fmt.Errorf("the embedded database ended: %w", s.embedded.Err())
			case <-s.ctx.Done():
				return nil
			}
		})
	}
	s.Store, err = s.App.Open(ctx, s.URL)
	return err
}

// startIndexes loads the list indexes in the background. SQL answers lists until their index is loaded, so the
// service need not wait for it.
func (s *Service) startIndexes() {
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		ix := search.New(s.Store, f, s.App.Log)
		s.indexes[f] = ix
		s.Store.UseIndex(f, ix)
		s.group.Go(func() error { return ix.Run(s.ctx) })
	}
}

// followChanges keeps a listener to the database open for as long as the service runs. Caches are used only
// while the listener is connected: a cache that misses a change could show a person as jailed who was released.
func (s *Service) followChanges() {
	s.group.Go(func() error {
		_, leave := s.Store.Changes(s.ctx, models.Roster, s.App.Log)
		<-s.ctx.Done()
		leave()
		return nil
	})
}

// startAPI serves pages and interfaces. It listens before it makes anything else, so that a port in use is
// reported at once.
func (s *Service) startAPI(ctx context.Context) error {
	var err error
	if s.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.App.Addr); err != nil {
		return fmt.Errorf("listen on ROLLCALL_ADDR: %w", err)
	}
	if s.API, err = NewAPI(ctx, s.App, s.Store); err != nil {
		return err
	}
	if err = s.App.keepPlace(); err != nil {
		return err
	}
	s.group.Go(func() error { s.API.meter.Run(s.ctx); return nil })
	s.server = server.New(s.API.Handler, s.App.Log)
	s.server.RegisterOnShutdown(sync.OnceFunc(func() { close(s.API.closing) }))
	// Streams that outlive the draining end with the service.
	s.server.BaseContext = func(net.Listener) context.Context { return s.ctx }
	s.group.Go(func() error { return server.Run(s.server, s.Listener) })
	return nil
}

// StartMetrics serves the metrics on an address of their own: they are for operators and need no key.
func (s *Service) StartMetrics(ctx context.Context) error {
	if s.App.MetricsAddr == "off" {
		return nil
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.App.MetricsAddr)
	if err != nil {
		return fmt.Errorf("listen on ROLLCALL_METRICS_ADDR (set it to off for none): %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.API.Metrics.Handler())
	s.metrics, s.metricsListener = server.New(mux, s.App.Log), l
	s.group.Go(func() error { return server.Run(s.metrics, l) })
	return nil
}

// AwaitIndex returns when the list index of a family is loaded, or at once when there is none. Benchmarks and
// tests use it, so that they measure the index and not its loading.
func (s *Service) AwaitIndex(ctx context.Context, f models.Family) error {
	ix := s.indexes[f]
	if ix == nil {
		return nil
	}
	for {
		if _, ok := ix.Find(models.IndexQuery{Limit: 1}); ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ctx.Done():
			return context.Cause(s.ctx) //nolint:contextcheck // the service's own end
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// MetricsPlace returns the address of the metrics, or a text that says why there is none.
func (s *Service) MetricsPlace() string {
	if s.metricsListener == nil {
		return "off (ROLLCALL_METRICS_ADDR)"
	}
	return "http://" + s.metricsListener.Addr().String() + "/metrics"
}

// Wait returns nil when ctx ends, or the error of the part that failed first. The caller then calls Stop.
func (s *Service) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx) //nolint:contextcheck // the service's own end
	}
}

// Stop ends the service in this order: no new requests, requests in progress, usage that is counted in memory,
// database. Each step may need the ones after it. Errors are logged: there is nobody else to report them to.
func (s *Service) Stop() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	log := s.App.Log
	report := func(what string, err error) {
		if err != nil && !errors.Is(err, context.Canceled) {
			log.ErrorContext(ctx, "service not stopped cleanly", "step", what, "error", err)
		}
	}
	if s.API != nil {
		// /readyz fails from here on: the load balancer sends nothing new.
		s.API.draining.Store(true)
	}
	if s.server != nil {
		report("drain requests", s.server.Shutdown(ctx))
	}
	if s.metrics != nil {
		report("stop metrics", s.metrics.Shutdown(ctx))
	}
	s.cancel(server.ErrStopped)
	report("stop service", s.group.Wait())
	if s.API != nil {
		report("write usage", s.API.Close(ctx))
	}
	if s.Store != nil {
		s.Store.Close()
	}
	if s.embedded != nil {
		report("stop database", s.embedded.Stop())
	}
}
