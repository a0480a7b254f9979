package service

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"rollcall/auth"
	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/web"
	"rollcall/web/operate"
)

// Root returns the public address of the service, without the path of /v1 and without a slash at its end.
func (a *App) Root() string { return strings.TrimSuffix(a.BaseURL, "/v1") }

// sessions returns what signs people in to the pages. Cookies are marked secure when the public address is
// https.
func (a *App) sessions(store *store.Store, guard *auth.Guard) (*auth.Sessions, error) {
	passwords, err := auth.NewPasswords(nil)
	if err != nil {
		return nil, err
	}
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	secure := strings.HasPrefix(a.BaseURL, "https://")
	devices, err := auth.NewDevices(secrets[0], secure, secrets[1:]...)
	if err != nil {
		return nil, err
	}
	return &auth.Sessions{
		Store: store, Passwords: passwords, Limiter: guard.Limiter, Door: auth.NewDoor(guard.Flood, guard.Proxies), Now: time.Now,
		Secure: secure, Devices: devices,
	}, nil
}

// secretKeeper adapts the steps of a secret's rotation to the settings page. The package web knows no notifier.
func secretKeeper(s *notifier.Secrets) web.SecretKeeper {
	return func(ctx context.Context, step web.SecretStep, accountID, actor string) (*web.WebhookSecret, error) {
		take := s.Show
		switch step {
		case web.RotateSecret:
			take = s.Rotate
		case web.FinishRotation:
			take = s.Finish
		case web.CancelRotation:
			take = s.Cancel
		case web.ShowSecret:
		}
		got, err := take(ctx, accountID, actor)
		if err != nil {
			return nil, err
		}
		return &web.WebhookSecret{Current: got.Keys.Current, Next: got.Keys.Next}, nil
	}
}

// rehearser tries held snapshots out for the operators' page. It returns nil when the source is not held, or
// when nothing came since an operator held it.
func (a *App) rehearser(store *store.Store) operate.Rehearser {
	// The alerts are read into memory when an operator first looks at a held source, and from then on what changed of them.
	standing := notifier.NewStanding(store, a.Log)
	return func(ctx context.Context, id string) (*operate.HeldSnapshot, error) {
		src, err := Scope(ctx, store, id, "")
		if err != nil || src.HeldSince == nil {
			return nil, err
		}
		runs, err := store.Runs(ctx, id, ShownRuns)
		if err != nil {
			return nil, err
		}
		run := HeldRun(src, runs)
		if run == 0 {
			return nil, nil //nolint:nilnil // none came
		}
		h, err := a.Rehearse(ctx, store, standing, id, run)
		switch {
		case errors.Is(err, fs.ErrNotExist): // the demo's documents are made up as it starts
			return &operate.HeldSnapshot{Run: int(run), Note: "the source's document is not in the data directory"}, nil
		case models.CodeOf(err) == models.CodeNotFound: // what the run read is not kept any more
			return &operate.HeldSnapshot{Run: int(run), Note: err.Error()}, nil
		case err != nil:
			return nil, err
		}
		out := &operate.HeldSnapshot{
			Forecast: operate.Forecast(h.Forecast), Run: int(h.Run), Rows: h.Rows, New: h.New, Changed: h.Changed, Closed: h.Closed, Reopened: h.Reopened, Missing: h.Missing, Again: h.Again,
			Quarantined: h.Quarantined,
			Complete:    h.Complete, Doubts: h.Doubts, Note: h.Note, Gone: h.Gone, Fresh: h.Fresh, Altered: h.Altered, Alters: h.Alters,
		}
		if h.Renumbered != nil {
			out.AsRenumbered = new(operate.Forecast(*h.Renumbered))
		}
		return out, nil
	}
}

// releaser applies held snapshots for the operators' page. A snapshot that could not be applied is an error on
// the page, and the hold stands.
func (a *App) releaser(store *store.Store) operate.Releaser {
	return func(ctx context.Context, id string, how operate.Decision) error {
		report, err := a.Release(ctx, store, id, "", ingest.Decision{Renumbered: how == operate.Renumbered, Discard: how == operate.Discarded}, nil)
		if err == nil && (report.State == source.RunFailed || report.State == source.RunHeld) {
			return models.Invalid("id", "The held snapshot could not be applied: "+report.Note)
		}
		return err
	}
}
