package web

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"maps"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/store"
	"rollcall/web/delivery"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/person"
	"rollcall/web/removal"
	"rollcall/web/status"
	"rollcall/web/watch"
	"rollcall/web/words"
)

//go:embed templates static
var files embed.FS

// assetPath is where the embedded scripts, styles and pictures are served.
const assetPath = "/static/web/"

// Options are what a Site needs. All are required but Passkeys and Photograph.
type Options struct {
	Store    *store.Store
	Sessions *auth.Sessions
	// Passkeys is nil where the site has none.
	Passkeys *auth.Passkeys
	// Keys forgets a key that was revoked.
	Keys KeyForgetter
	// Usage reads the use of an account's request limit.
	Usage UsageReader
	// Rehearse returns what a held snapshot would do.
	Rehearse Rehearser
	// Release ends the hold of a source.
	Release Releaser
	// Replay reads quarantined rows again.
	Replay Replayer
	// RowText decrypts a quarantined row.
	RowText RowText
	// Documents reads and changes source documents.
	Documents Documents
	// Jobs changes jobs of the queue.
	Jobs JobControl
	// Endpoints checks webhook addresses and makes secrets.
	Endpoints Endpoints
	// Secrets shows and replaces webhook secrets.
	Secrets SecretKeeper
	// Photograph returns an address of the small photograph of a booking that works for some minutes; nil: none is shown.
	Photograph func(bookingID string) string
	// Turns bound imports; nil: they take turns among themselves.
	Turns *turn.Turns
	// Proxies are believed about a client's address.
	Proxies auth.Proxies
	// Root is the public address without a path or trailing slash, such as
	// https://records.example.org.
	Root string
	Log  *slog.Logger
	// Now is the clock of everything that the pages show and check.
	Now func() time.Time

	// Reference is the reference of /v1.
	Reference Reference
	// Webhooks is the guide for receivers, Clients that of the clients, and Samples the samples, all in Markdown.
	Webhooks, Clients, Samples string
}

// KeyForgetter makes a revoked key stop working at once in this process; auth.Keyring implements
// it.
type KeyForgetter interface{ Forget(keyID string) }

// Rehearser returns what the held snapshot of a source would do, and changes nothing. It returns
// nil when no snapshot is held.
type Rehearser func(ctx context.Context, sourceID string) (*HeldSnapshot, error)

// Decision is what an operator decides about a held snapshot (DECISIONS, "Holding").
type Decision string

// The decisions about a held snapshot.
const (
	// Right applies it as it is.
	Right Decision = "right"
	// Renumbered applies it, and recognises people under new keys by name and time of booking.
	Renumbered Decision = "renumbered"
	// Discarded applies nothing of it.
	Discarded Decision = "discarded"
)

// Releaser ends the hold of a source as an operator decided. A mistake of the operator's is a
// models.Error.
type Releaser func(ctx context.Context, sourceID string, how Decision) error

// HeldSnapshot is what a held snapshot would do if it were applied.
type HeldSnapshot struct {
	// Run is the id of the run that is held; the others count people or cases, Rows the rows of the snapshot.
	// Missing counts records that are absent from it, but would not be closed by it.
	Run, Rows, New, Changed, Closed, Reopened, Missing int
	// Again counts those of the people who would be released that are in the snapshot under new
	// keys.
	Again int
	// Complete means that people who are missing would be released; otherwise it would release
	// nobody.
	Complete bool
	// Doubts are why the snapshot is not proven complete.
	Doubts []string
	// Note is why it cannot be applied at all; empty: it can.
	Note string
	// Gone are the people who would be released or hidden, a thousand at most.
	Gone []snapshot.Gone
	// Fresh are the people who would be new, 200 at most.
	Fresh []snapshot.Gone
	// Altered are the people whose facts would change otherwise, 200 at most.
	Altered []snapshot.Altered
	// Alters is how many of those there are in all.
	Alters int
	// Forecast is what a release as it is would send.
	Forecast Forecast
	// AsRenumbered is what a release as renumbered would send; nil: nobody stands under a new key.
	AsRenumbered *Forecast
}

// Forecast is what alerts would be sent if a held snapshot were applied now.
type Forecast struct {
	// Alerts counts those that would fire.
	Alerts int
	// Events counts what they would be sent, by kind.
	Events map[models.EventKind]int
	// More means that the snapshot changes more than was tried out: the counts are then too low.
	More bool
}

// UsageReader reads the use of an account's request limit; auth.Meter implements it.
type UsageReader interface {
	Usage(ctx context.Context, account *models.Account) (*models.Usage, error)
}

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Options
	*page.Pages
	// exports let an account have one file at a time.
	exports *turn.Turns
	// guides by the last part of their addresses.
	guides map[string]*guide
}

// New parses the embedded pages. An error means that the binary was built wrong.
func New(o Options) (*Site, error) {
	c, err := page.New(page.Options{
		Store: o.Store, Sessions: o.Sessions, Files: files, AssetPath: assetPath, Done: done, Root: o.Root, Log: o.Log, Now: o.Now,
		Funcs: functions,
	})
	if err != nil {
		return nil, err
	}
	if o.Turns == nil {
		o.Turns = turn.Half()
	}
	guides := map[string]*guide{}
	for name, markdown := range map[string]string{"webhooks": o.Webhooks, "clients": o.Clients, "samples": o.Samples} {
		if guides[name], err = newGuide(markdown); err != nil {
			return nil, err
		}
	}
	return &Site{Options: o, Pages: c, exports: turn.New(1, 0), guides: guides}, nil
}

// functions returns what templates call beside the functions of all pages.
func functions(l *words.Language) template.FuncMap {
	f := template.FuncMap{
		"fact": func(field string) string { return fact.Name(field).In(l) }, "people": peopleOf, "lines": linesOf, "manages": manages, "choose": choose,
		"clock": clock,
		"value": func(field string, text *string) string { return fact.Value(field, text).In(l) },
	}
	maps.Copy(f, status.Funcs(l))
	return f
}

// Routes adds the pages to a router. Every page stands behind Guard, and every form behind Form.
// Passkeys answer scripts in JSON, so they are not read as forms. An error means that the binary was built wrong.
func (s *Site) Routes(r chi.Router) error {
	s.Assets(r)
	status.New(s.Pages, s.Store, s.Now).Routes(r)
	r.Group(func(r chi.Router) {
		r.Use(s.Guard)
		s.passkeys(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.Upload)
		watch.Site{Pages: s.Pages, Turns: s.Turns}.Uploads(page.WithHead{Router: r})
	})
	var err error
	r.Group(func(r chi.Router) {
		r.Use(s.Guard, s.Form)
		r = page.WithHead{Router: r}
		r.Post("/language", s.ChooseLanguage)
		s.entrance(r)
		s.ownPasskeys(r)
		s.settings(r)
		s.webhooks(r)
		s.secret(r)
		s.dashboard(r)
		person.Site{Pages: s.Pages, Store: s.Store}.Routes(r)
		watch.Site{Pages: s.Pages, Turns: s.Turns, Exports: s.exports, Photograph: s.Photograph}.Routes(r)
		delivery.Site{Pages: s.Pages}.Routes(r)
		s.operators(r)
		s.withheld(r)
		s.merges(r)
		removal.Site{Pages: s.Pages, Store: s.Store, Now: s.Now}.Routes(r)
		err = s.manual(r)
	})
	return err
}
