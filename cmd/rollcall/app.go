package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"rollcall/ingest"
	"rollcall/internal/pg"
	"rollcall/models/migrations"
	"rollcall/models/store"
	"rollcall/notifier"
)

// App is what every command works with.
type App struct {
	Config
	Stdout io.Writer // results
	Stderr io.Writer // progress and logs
	Log    *slog.Logger

	invented func(id string) *ingest.Source // the demo's sources, which no directory holds; nil: there are none
}

// Store opens the database for a command: the one of ROLLCALL_DATABASE_URL, else the embedded one,
// joining its server when another process runs it. It is migrated first. Call close when done.
func (a *App) Store(ctx context.Context) (store *store.Store, closeStore func(), err error) {
	url, closeServer, err := a.database(ctx)
	if err != nil {
		return nil, nil, err
	}
	store, err = a.open(ctx, url)
	if err != nil {
		closeServer()
		return nil, nil, err
	}
	return store, func() { store.Close(); closeServer() }, nil
}

// database gives the URL of a database to work with.
func (a *App) database(ctx context.Context) (url string, closeServer func(), err error) {
	if a.DatabaseURL != "" {
		return a.DatabaseURL, func() {}, nil
	}
	url, stop, err := pg.Open(ctx, a.pgOptions())
	if err != nil {
		return "", nil, err
	}
	return url, func() {
		if err := stop(); err != nil {
			a.Log.ErrorContext(ctx, "stop database", "error", err)
		}
	}, nil
}

func (a *App) pgOptions() pg.Options {
	return pg.Options{Dir: a.DataDir, BinDir: a.PGBin, Logger: a.Log}
}

// open migrates the database at url and opens a store on it.
func (a *App) open(ctx context.Context, url string) (*store.Store, error) {
	if err := migrations.Up(ctx, url); err != nil {
		return nil, err
	}
	secret, err := a.secret()
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, url, store.Options{Secret: secret, MaxWatchers: a.MaxWatchers, KeepRecords: a.RecordCache << 20})
	if err != nil {
		return nil, err
	}
	// A client without workers: it puts jobs into the transactions of whoever writes.
	client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{Logger: a.Log})
	if err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare job queue: %w", err)
	}
	store.UseJobs(notifier.Queue{Client: client})
	return store, nil
}

// printJSON writes v as one indented JSON document to standard output.
func (a *App) printJSON(v any) error {
	e := json.NewEncoder(a.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
