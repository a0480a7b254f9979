package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"rollcall/internal/mailbox"
	"rollcall/internal/pg"
	"rollcall/models/migrations"
	"rollcall/models/store"
	"rollcall/notifier"
)

// App is what every command works with: the settings, the streams for results and logs, and the way to the
// database. It is filled once by cmd/rollcall and is safe for concurrent use from then on, as long as no field
// is changed.
type App struct {
	Config
	// Stdout takes results and nothing else, so that a script can read it.
	Stdout io.Writer
	// Stderr takes progress, questions and logs.
	Stderr io.Writer
	// Log has ids and no names; it is written to Stderr.
	Log *slog.Logger

	// Now is the clock of the database and of what reads sources; nil means time.Now.
	Now func() time.Time

	// Version is that of the program, as receivers of webhooks see it; empty means dev.
	Version string

	// Invented means that all records are a demo's.
	Invented bool

	// Mailbox has the mails of a demo (OpenMailbox); nil otherwise.
	Mailbox *mailbox.Box
}

// Store opens the database for a command: the one of ROLLCALL_DATABASE_URL, or the embedded one. It joins the
// embedded server when another process runs it, and starts it otherwise. The schema is migrated first. The
// caller calls closeStore exactly once when done; it also stops a server that was started here.
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

// Database returns the URL of the database to work with. closeServer ends the embedded server if this call
// started it, and does nothing otherwise. A command that is not the owner must not stop the server of another.
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

// pgOptions returns where the embedded database and its programs are.
func (a *App) pgOptions() pg.Options {
	return pg.Options{Dir: a.DataDir, BinDir: a.PGBin, Logger: a.Log}
}

// Open migrates the database at url and opens a store on it, with the caches that the settings allow. It
// refuses a database whose schema this version does not know, and leaves it as it is.
func (a *App) Open(ctx context.Context, url string) (*store.Store, error) {
	if err := migrations.Up(ctx, url); err != nil {
		return nil, err
	}
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, url, store.Options{
		Secret: secrets[0], OldSecrets: secrets[1:], MaxWatchers: a.MaxWatchers, KeepRecords: a.RecordCache << 20, Now: a.Now,
	})
	if err != nil {
		return nil, err
	}
	// This client has no workers: it inserts jobs within the transactions of writers, so that a change and the
	// job that matches it commit together.
	client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{Logger: a.Log})
	if err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare job queue: %w", err)
	}
	store.UseJobs(notifier.Queue{Client: client})
	return store, nil
}

// PrintJSON writes v to standard output as one indented JSON document with a final newline.
func (a *App) PrintJSON(v any) error {
	e := json.NewEncoder(a.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
