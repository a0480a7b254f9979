package web

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web/page"
)

//go:embed templates static
var files embed.FS

// assetPath is where the embedded scripts, styles and pictures are served.
const assetPath = "/static/web/"

// Options of the site; all are needed, but passkeys.
type Options struct {
	Store    *store.Store
	Sessions *auth.Sessions
	Passkeys *auth.Passkeys // nil: the site has none
	// Forgets a key that was revoked.
	Keys  KeyForgetter
	Usage UsageReader
	// Tries out held snapshots.
	Rehearse Rehearser
	// Applies held snapshots.
	Release Releaser
	// Reads quarantined rows again.
	Replay Replayer
	// Decrypts a quarantined row.
	RowText   RowText
	Jobs      JobControl
	Endpoints Endpoints
	Secrets   SecretKeeper
	// Whose X-Forwarded-For is believed.
	Proxies auth.Proxies
	Root    string // public address without a path or trailing slash, such as https://records.example.org
	Log     *slog.Logger
	Now     func() time.Time

	Reference template.HTML // of /v1, as its page shows it
	Webhooks  string        // the guide for receivers, in Markdown
}

// KeyForgetter makes a revoked key stop working at once in this process (auth.Keyring).
type KeyForgetter interface{ Forget(keyID string) }

// Rehearser tells what the held snapshot of a source would do, and does nothing of it; nil when no snapshot is held.
type Rehearser func(ctx context.Context, sourceID string) (*HeldSnapshot, error)

// Decision is what an operator says of a held snapshot.
type Decision string

// The decisions.
const (
	Right      Decision = "right"      // it is applied as it is
	Renumbered Decision = "renumbered" // it is applied, and people are recognised by name and time of booking under their new keys
	Discarded  Decision = "discarded"  // nothing of it is applied
)

// Releaser ends the hold of a source as an operator decided. An error of the operator's is a models.Error.
type Releaser func(ctx context.Context, sourceID string, how Decision) error

// HeldSnapshot is what a held snapshot would do, were it applied.
type HeldSnapshot struct {
	Run, Rows, New, Changed, Closed, Reopened, Missing int
	Again                                              int  // of those who would be released, in it under new keys
	Complete                                           bool // else it would close nobody
	// Why the snapshot is not proven complete.
	Doubts  []string
	Note    string           // why it cannot be applied at all; empty: it can
	Gone    []models.Gone    // who would be released or hidden, a thousand at most
	Fresh   []models.Gone    // who would be new, 200 at most
	Altered []models.Altered // whose facts would change otherwise, 200 at most
	Alters  int              // how many there are of those
}

// UsageReader tells the use of an account's request limit (auth.Meter).
type UsageReader interface {
	Usage(ctx context.Context, account *models.Account) (*models.Usage, error)
}

// Site serves the pages.
type Site struct {
	Options
	*page.Pages
	guide *guide
}

// New reads the embedded pages.
func New(o Options) (*Site, error) {
	c, err := page.New(page.Options{
		Store: o.Store, Sessions: o.Sessions, Files: files, AssetPath: assetPath, Done: done, Root: o.Root, Log: o.Log, Now: o.Now,
		Funcs: template.FuncMap{"fact": factName, "value": factValue, "people": peopleOf, "lines": linesOf},
	})
	if err != nil {
		return nil, err
	}
	g, err := newGuide(o.Webhooks)
	if err != nil {
		return nil, err
	}
	return &Site{Options: o, Pages: c, guide: g}, nil
}

// Routes adds the pages to a router. What is not among them stays the router's.
func (s *Site) Routes(r chi.Router) {
	s.Assets(r)
	r.Group(func(r chi.Router) {
		r.Use(s.Guard)
		s.passkeys(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Guard, s.Form)
		r = page.WithHead{Router: r}
		s.entrance(r)
		s.ownPasskeys(r)
		s.settings(r)
		s.webhooks(r)
		s.secret(r)
		s.dashboard(r)
		s.alerts(r)
		s.operators(r)
		s.withheld(r)
		s.merges(r)
		s.manual(r)
	})
}
