package main

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

// drainTimeout is how long requests may take to end when the service stops.
const drainTimeout = 30 * time.Second

// service is a running rollcall: database, indexes, API and metrics.
type service struct {
	app      *App
	store    *store.Store
	url      string // of the database
	embedded *pg.Server
	indexes  map[models.Family]*search.Index
	listener net.Listener
	api      *api
	group    *errgroup.Group // what runs until stop
	ctx      context.Context //nolint:containedctx // the life of the service itself, ended by stop
	cancel   context.CancelCauseFunc
	server   *http.Server
	metrics  *http.Server

	metricsListener net.Listener
}

// start brings up everything that serves. With an embedded database this process becomes its
// owner. The caller must stop the service.
func (a *App) start(ctx context.Context) (_ *service, err error) {
	s := &service{app: a, indexes: map[models.Family]*search.Index{}}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	s.group, s.ctx = errgroup.WithContext(s.ctx)
	defer func() {
		if err != nil {
			s.stop()
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
	return s, s.startMetrics(ctx)
}

func (s *service) startDatabase(ctx context.Context) (err error) {
	s.url = s.app.DatabaseURL
	if s.url == "" {
		if s.embedded, err = pg.Start(ctx, s.app.pgOptions()); err != nil {
			return err
		}
		s.url = s.embedded.URL()
		s.group.Go(func() error {
			select {
			case <-s.embedded.Done():
				return fmt.Errorf("the embedded database ended: %w", s.embedded.Err())
			case <-s.ctx.Done():
				return nil
			}
		})
	}
	s.store, err = s.app.open(ctx, s.url)
	return err
}

func (s *service) startIndexes() {
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		ix := search.New(s.store, f, s.app.Log)
		s.indexes[f] = ix
		s.store.UseIndex(f, ix)
		s.group.Go(func() error { return ix.Run(s.ctx) })
	}
}

func (s *service) followChanges() {
	s.group.Go(func() error {
		_, leave := s.store.Changes(s.ctx, models.Roster, s.app.Log)
		<-s.ctx.Done()
		leave()
		return nil
	})
}

func (s *service) startAPI(ctx context.Context) error {
	var err error
	if s.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.app.Addr); err != nil {
		return fmt.Errorf("listen on ROLLCALL_ADDR: %w", err)
	}
	if s.api, err = newAPI(ctx, s.app, s.store); err != nil {
		return err
	}
	s.group.Go(func() error { s.api.meter.Run(s.ctx); return nil })
	s.server = server.New(s.api.handler, s.app.Log)
	s.server.RegisterOnShutdown(sync.OnceFunc(func() { close(s.api.closing) }))
	// Streams that outlive the draining end with the service.
	s.server.BaseContext = func(net.Listener) context.Context { return s.ctx }
	s.group.Go(func() error { return server.Run(s.server, s.listener) })
	return nil
}

func (s *service) startMetrics(ctx context.Context) error {
	if s.app.MetricsAddr == "off" {
		return nil
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.app.MetricsAddr)
	if err != nil {
		return fmt.Errorf("listen on ROLLCALL_METRICS_ADDR (set it to off for none): %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.api.metrics.handler())
	s.metrics, s.metricsListener = server.New(mux, s.app.Log), l
	s.group.Go(func() error { return server.Run(s.metrics, l) })
	return nil
}

// awaitIndex returns when the list index of a family is loaded, at once when lists go without.
func (s *service) awaitIndex(ctx context.Context, f models.Family) error {
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

// metricsPlace is where the figures are, in words where they are nowhere.
func (s *service) metricsPlace() string {
	if s.metricsListener == nil {
		return "off (ROLLCALL_METRICS_ADDR)"
	}
	return "http://" + s.metricsListener.Addr().String() + "/metrics"
}

// wait returns when ctx ends, or with the error of the part that failed first.
func (s *service) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx) //nolint:contextcheck // the service's own end
	}
}

// stop drains requests, writes what is counted in memory and ends the database, in that order.
func (s *service) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	log := s.app.Log
	report := func(what string, err error) {
		if err != nil && !errors.Is(err, context.Canceled) {
			log.ErrorContext(ctx, "service not stopped cleanly", "step", what, "error", err)
		}
	}
	if s.api != nil {
		s.api.draining.Store(true)
	}
	if s.server != nil {
		report("drain requests", s.server.Shutdown(ctx))
	}
	if s.metrics != nil {
		report("stop metrics", s.metrics.Shutdown(ctx))
	}
	s.cancel(server.ErrStopped)
	report("stop service", s.group.Wait())
	if s.api != nil {
		report("write usage", s.api.close(ctx))
	}
	if s.store != nil {
		s.store.Close()
	}
	if s.embedded != nil {
		report("stop database", s.embedded.Stop())
	}
}
