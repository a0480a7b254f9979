package main

import (
	"context"

	"rollcall/internal/service"
)

// workCmd works the job queue without serving. Any number of processes may do so; jobs are unique across them.
type workCmd struct{}

// Run works the job queue and sends webhooks until interrupted: for a second process beside `serve --no-jobs`.
// It serves metrics only where ROLLCALL_METRICS_ADDR says so, because serve on the same machine already listens
// on the default address.
func (workCmd) Run(ctx context.Context, a *service.App) (err error) {
	if err := a.CheckFiles(); err != nil {
		return err
	}
	url, closeServer, err := a.Database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	store, err := a.Open(ctx, url)
	if err != nil {
		return err
	}
	defer store.Close()
	m := service.NewMetrics(store)
	j, err := a.StartJobs(ctx, url, service.JobOptions{Observe: m.Delivery.Observe})
	if err != nil {
		return err
	}
	defer j.Stop()
	if !a.Unset("ROLLCALL_METRICS_ADDR") && a.MetricsAddr != "off" {
		stop, err := a.ServeMetrics(ctx, m)
		if err != nil {
			return err
		}
		defer stop()
	}
	a.ReportKeys(ctx, store)
	a.Log.InfoContext(ctx, "working jobs")
	<-ctx.Done()
	return nil
}
