package service

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

// App is what every command works with: the settings, where results and logs go, and the way to the database.
type App struct {
	Config
	Stdout io.Writer // results
	Stderr io.Writer // progress and logs
	Log    *slog.Logger

	Version string // of the program, for receivers of webhooks; empty: dev

	// The demo's sources, which no directory holds; nil: there are none.
	Invented func(id string) *ingest.Source
}

// Store opens the database for a command: the one of ROLLCALL_DATABASE_URL, else the embedded one, whose server it
// joins when another process runs it. The database is migrated first. Call closeStore when done.
func (a *App) Store(ctx context.Context) (store *store.Store, closeStore func(), err error) {
	url, closeServer, err := a.Database(ctx)
	if err != nil {
		return nil, nil, err
	}
	store, err = a.Open(ctx, url)
	if err != nil {
		closeServer()
		return nil, nil, err
	}
	return store, func() { store.Close(); closeServer() }, nil
}

// Database returns the URL of the database to work with, and what ends the embedded server that it may have started.
func (a *App) Database(ctx context.Context) (url string, closeServer func(), err error) {
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

// pgOptions returns where the embedded database lies.
func (a *App) pgOptions() pg.Options {
	return pg.Options{Dir: a.DataDir, BinDir: a.PGBin, Logger: a.Log}
}

// Open migrates the database at url and opens a store on it. It refuses a database of another version.
func (a *App) Open(ctx context.Context, url string) (*store.Store, error) {
	if err := migrations.Up(ctx, url); err != nil {
		return nil, err
	}
	secret, err := a.Secret()
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

// PrintJSON writes v as one indented JSON document to standard output.
func (a *App) PrintJSON(v any) error {
	e := json.NewEncoder(a.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
