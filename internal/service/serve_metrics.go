package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"rollcall/internal/server"
)

// ServeMetrics serves the metrics of a process that has no API, such as `work`, until stop is called. stop
// waits for the server to end.
func (a *App) ServeMetrics(ctx context.Context, m *Metrics) (stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.MetricsAddr)
	if err != nil {
		return nil, fmt.Errorf("listen on ROLLCALL_METRICS_ADDR: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	s, ended := server.New(mux, a.Log), make(chan error, 1)
	go func() { ended <- server.Run(s, l) }()
	return func() {
		if err := errors.Join(s.Close(), <-ended); err != nil {
			a.Log.WarnContext(ctx, "metrics not stopped cleanly", "error", err)
		}
	}, nil
}
