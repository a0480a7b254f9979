package main

import (
	"context"

	"rollcall/internal/service"
)

type serveCmd struct {
	Addr   string `help:"Address to listen on instead of ROLLCALL_ADDR." placeholder:"HOST:PORT"`
	NoJobs bool   `help:"Serve only; leave the jobs to rollcall work."`
}

// Run serves until interrupted, then drains.
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
