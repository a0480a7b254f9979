package main

import "context"

type workCmd struct{}

// Run works the job queue until interrupted: for a second process beside `serve --no-jobs`.
func (workCmd) Run(ctx context.Context, a *App) error {
	url, closeServer, err := a.database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	j, err := a.startJobs(ctx, url, jobOptions{})
	if err != nil {
		return err
	}
	defer j.stop()
	a.Log.InfoContext(ctx, "working jobs")
	<-ctx.Done()
	return nil
}
