package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"rollcall/internal/server"
)

type workCmd struct{}

// Run works the job queue and sends webhooks until interrupted: for a second process beside
// `serve --no-jobs`. It serves metrics only where ROLLCALL_METRICS_ADDR says so, as its default is
// taken by serve on the same machine.
func (workCmd) Run(ctx context.Context, a *App) (err error) {
	url, closeServer, err := a.database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	store, err := a.open(ctx, url)
	if err != nil {
		return err
	}
	defer store.Close()
	m := newMetrics(store)
	j, err := a.startJobs(ctx, url, jobOptions{observe: m.delivery.observe})
	if err != nil {
		return err
	}
	defer j.stop()
	if !a.unset("ROLLCALL_METRICS_ADDR") && a.MetricsAddr != "off" {
		stop, err := a.serveMetrics(ctx, m)
		if err != nil {
			return err
		}
		defer stop()
	}
	a.Log.InfoContext(ctx, "working jobs")
	<-ctx.Done()
	return nil
}

// serveMetrics serves a process's figures until stopped.
func (a *App) serveMetrics(ctx context.Context, m *metrics) (stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("listen on ROLLCALL_METRICS_ADDR: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.handler())
	s, ended := server.New(mux, a.Log), make(chan error, 1)
	go func() { ended <- server.Run(s, l) }()
	return func() {
		if err := errors.Join(s.Close(), <-ended); err != nil {
			a.Log.WarnContext(ctx, "metrics not stopped cleanly", "error", err)
		}
	}, nil
}
