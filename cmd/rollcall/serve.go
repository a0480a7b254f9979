package main

import (
	"context"

	"rollcall/internal/service"
)

// serveCmd starts the service: interfaces, pages and, unless a flag turns them off, the jobs.
type serveCmd struct {
	// Addr replaces ROLLCALL_ADDR. Links in pages and webhooks follow ROLLCALL_BASE_URL and not this.
	Addr string `help:"Address to listen on instead of ROLLCALL_ADDR." placeholder:"HOST:PORT"`
	// NoJobs leaves sources, linking, matching and deliveries to `rollcall work`. Without such a process
	// nothing is read and no alert is sent.
	NoJobs bool `help:"Serve only; leave the jobs to rollcall work."`
}

// Run migrates the database, serves until interrupted, and then drains: requests in progress are answered, and
// deliveries on the wire are recorded. The jobs stop first, because they use the database that an embedded
// service owns.
func (c serveCmd) Run(ctx context.Context, a *service.App) error {
	if c.Addr != "" {
		a.Addr = c.Addr
	}
	s, err := a.Start(ctx)
	if err != nil {
		return err
	}
	defer s.Stop()
	if !c.NoJobs {
		j, err := a.StartJobs(ctx, s.URL, service.JobOptions{Observe: s.API.Metrics.Delivery.Observe})
		if err != nil {
			return err
		}
		defer j.Stop()
	}
	a.Log.InfoContext(ctx, "serving", "address", s.Listener.Addr().String(), "base", a.BaseURL)
	return s.Wait(ctx)
}
