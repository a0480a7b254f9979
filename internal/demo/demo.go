// Package demo plays rollcall with invented people: it starts the simulator's jails and courts, reads them as an operator
// would, and subscribes to some of what happens. It serves nothing itself and reads no environment: the command passes in
// the running service.
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
	"strings"
	"time"

	"rollcall/auth"
	"rollcall/ingest"
	"rollcall/internal/pg"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// Email is the address of the demo's account and of its user.
const Email = "demo@rollcall.example"

const (
	name  = "Demo"
	label = "demo" // of what the demo makes in its account
)

// Demo is the running service as the demo needs it.
type Demo struct {
	Store   *store.Store
	Runner  *ingest.Runner
	Linker  *ingest.Linker
	Secrets *notifier.Secrets
	Dir     string        // data directory
	Pace    time.Duration // mean time between two happenings in the jails
	Out     io.Writer     // progress and verified webhooks, for people
	Log     *slog.Logger

	ForgetKey func(id string) // drops a revoked key from memory
	// SignIn stores a link that signs in and returns its address below path.
	SignIn func(ctx context.Context, l *models.SignInLink, path string, life time.Duration) (address string, err error)
}

func stateFile(dir string) string { return filepath.Join(dir, "demo.json") }

// Forget deletes the embedded database and the world of a demo from a data directory, and refuses data that no demo made.
func Forget(ctx context.Context, dir string) error {
	_, err := os.Stat(filepath.Join(dir, "pg"))
	_, marked := os.Stat(stateFile(dir))
	if err == nil && marked != nil {
		return fmt.Errorf("%s holds data that no demo made; --fresh does not delete it", dir)
	}
	if err := pg.Remove(ctx, dir); err != nil {
		return err
	}
	if err := os.Remove(stateFile(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the demo's world: %w", err)
	}
	return nil
}

// alone keeps invented people out of a database of real ones.
func (d *Demo) alone(ctx context.Context) error {
	sources, err := d.Store.Sources(ctx)
	if err != nil {
		return err
	}
	for _, src := range sources {
		if !strings.HasPrefix(src.ID, prefix) {
			return fmt.Errorf(
				"the database holds records of source %s: the demo never mixes with real data; set ROLLCALL_DATA_DIR (or ROLLCALL_DATABASE_URL) to another place", src.ID)
		}
	}
	return nil
}

// Read reads every source once and links their records, so that the first query already has an answer. On the first start
// it imports the world's past before.
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
		if report.State == models.RunFailed {
			return fmt.Errorf("read %s: %s", src.ID, report.Note)
		}
		if err := d.Store.EnableSource(ctx, src.ID, true); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintln(d.Out, "Linking bookings with corrections records ...")
	_, err = d.Linker.Run(ctx, false)
	return err
}

// Key makes a key for the demo's account and revokes that of the start before.
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
			d.ForgetKey(k.ID)
		}
	}
	key := auth.NewKey()
	sum := key.SHA256()
	return key, d.Store.CreateKey(ctx, &models.APIKey{AccountID: account.ID, Label: label, Prefix: key.Prefix(), SHA256: sum[:]})
}
