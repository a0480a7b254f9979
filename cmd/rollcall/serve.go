package main

import "context"

type serveCmd struct {
	Addr   string `help:"Address to listen on instead of ROLLCALL_ADDR." placeholder:"HOST:PORT"`
	NoJobs bool   `help:"Serve only; leave the jobs to rollcall work."`
}

// Run serves until interrupted, then drains.
func (c serveCmd) Run(ctx context.Context, a *App) error {
	if c.Addr != "" {
		a.Addr = c.Addr
	}
	s, err := a.start(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	if !c.NoJobs {
		j, err := a.startJobs(ctx, s.url, jobOptions{observe: s.api.metrics.delivery.observe})
		if err != nil {
			return err
		}
		defer j.stop()
	}
	a.Log.InfoContext(ctx, "serving", "address", s.listener.Addr().String(), "base", a.BaseURL)
	return s.wait(ctx)
}
