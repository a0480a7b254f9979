// Package demo plays rollcall with invented people. It starts the simulator's jails and courts, reads them as
// an operator would, and subscribes to some of what happens. It serves nothing itself and does not read the
// environment: `rollcall demo` passes in the running service.
//
// The order of a start is Begin (the world), Read (every source once), Key, Subscribe and Door. The data are
// those of a real installation: sources, runs and records come through the same ingest, and deliveries go over
// TLS to a receiver on this machine. Everything that the demo makes is marked, so that a later start finds it
// again: its sources begin with "demo-", its key and watchers have the label "demo".
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rollcall/auth"
	"rollcall/ingest"
	"rollcall/ingest/linkage"
	"rollcall/internal/pg"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
)

// Email is the address of the demo's account and of its user. It is in the reserved domain .example, so no mail
// can reach it.
const Email = "demo@rollcall.example"

const (
	name  = "Demo"
	label = "demo" // of what the demo makes in its account
)

// Demo is the running service as the demo needs it. All fields are needed.
type Demo struct {
	// Store is that of the service. The demo writes to it as pages and commands do.
	Store  *store.Store
	Runner *ingest.Runner
	Linker *linkage.Linker
	// Secrets encrypts the webhook secret of the demo's account and lets the receiver follow it.
	Secrets *notifier.Secrets
	// Dir is the data directory. The state of the world is kept there (demo.json).
	Dir string
	// Pace is the mean time between two happenings in the jails.
	Pace time.Duration
	// Out takes progress and verified webhooks, for people.
	Out io.Writer
	Log *slog.Logger

	// ForgetKey removes a revoked key from the memory of this process, so that it ends at once.
	ForgetKey func(id string)
	// SignIn stores a link that signs in, and returns its address: path and a token below the public address.
	SignIn func(ctx context.Context, l *models.SignInLink, path string, life time.Duration) (address string, err error)
}

// stateFile is the file with the world's state. It also marks a data directory as a demo's.
func stateFile(dir string) string { return filepath.Join(dir, "demo.json") }

// Forget deletes the embedded database and the world of a demo from a data directory. It refuses data that no
// demo made: --fresh in the wrong directory must not delete the records of an installation.
func Forget(ctx context.Context, dir string) error {
	_, err := os.Stat(filepath.Join(dir, "pg"))
	_, marked := os.Stat(stateFile(dir))
	// The file of the world is the only sign that the cluster beside it is a demo's.
	if err == nil && marked != nil {
		return fmt.Errorf("%s holds data that no demo made; --fresh does not delete it", dir)
	}
	if err := pg.Remove(ctx, dir); err != nil {
		return err
	}
	if err := forgetDocuments(dir); err != nil {
		return err
	}
	if err := os.Remove(stateFile(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the demo's world: %w", err)
	}
	return nil
}

// alone returns an error if the database holds records of a real source. Invented people beside real ones would
// be taken for real.
func (d *Demo) alone(ctx context.Context) error {
	sources, err := d.Store.Sources(ctx)
	if err != nil {
		return err
	}
	for _, src := range sources {
		if !has(src.ID) {
			return fmt.Errorf(
				"the database holds records of source %s: the demo never mixes with real data; set ROLLCALL_DATA_DIR (or ROLLCALL_DATABASE_URL) to another place", src.ID)
		}
	}
	return nil
}

// Invented reports whether a database is that of a demo. Nothing real may come into it: the demo would not start again, and
// keys for tests would open real records.
func Invented(ctx context.Context, st *store.Store) (bool, error) {
	sources, err := st.Sources(ctx)
	return slices.ContainsFunc(sources, func(s *models.Source) bool { return has(s.ID) }), err
}

// Read reads every source once, enables its schedule, and links the records, so that the first query already
// has an answer. On the first start it imports the world's past before. A run that is held or partial is no
// error.
func (d *Demo) Read(ctx context.Context, w *World) error {
	known, err := d.Store.Sources(ctx)
	if err != nil {
		return err
	}
	if len(known) == 0 {
		_, _ = fmt.Fprintln(d.Out, "Taking over what was before ...")
		if err := d.importPast(ctx, w); err != nil {
			return err
		}
	}
	for i, src := range w.order {
		_, _ = fmt.Fprintf(d.Out, "Reading source %d of %d: %s\n", i+1, len(w.order), src.Title)
		report, err := d.Runner.Run(ctx, src, ingest.Input{})
		if err != nil {
			return err
		}
		if report.State == source.RunFailed {
			return fmt.Errorf("read %s: %s", src.ID, report.Note)
		}
		// The schedule begins after the first reading, so that the jobs do not read everything a second time at
		// once.
		if err := d.Store.EnableSource(ctx, src.ID, true); err != nil {
			return err
		}
	}
	// Linking once here shows links in the first answer. Later the jobs do it.
	_, _ = fmt.Fprintln(d.Out, "Linking bookings with corrections records ...")
	_, err = d.Linker.Run(ctx, false)
	return err
}

// Key makes a key for the demo's account and revokes that of the start before (DECISIONS.md, Running).
func (d *Demo) Key(ctx context.Context) (auth.Key, error) {
	account, err := d.Store.AccountByEmail(ctx, Email)
	if models.CodeOf(err) == models.CodeNotFound {
		account = &models.Account{Name: name, Email: Email, Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
		err = d.Store.CreateAccount(ctx, account)
	}
	if err != nil {
		return auth.Key{}, err
	}
	old, err := d.Store.Keys(ctx, account.ID)
	if err != nil {
		return auth.Key{}, err
	}
	for _, k := range old {
		if k.Label == label && k.RevokedAt == nil {
			if err := d.Store.RevokeKey(ctx, k.ID, time.Now()); err != nil {
				return auth.Key{}, err
			}
			// A client may have used the key of the start before in this process already. Forgetting it here
			// ends it at once; the cache of keys would keep it for a moment.
			d.ForgetKey(k.ID)
		}
	}
	key := auth.NewKey()
	sum := key.SHA256()
	return key, d.Store.CreateKey(ctx, &models.APIKey{AccountID: account.ID, Label: label, Prefix: key.Prefix(), SHA256: sum[:]})
}
