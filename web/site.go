package web

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web/delivery"
	"rollcall/web/fact"
	"rollcall/web/operate"
	"rollcall/web/page"
	"rollcall/web/person"
	"rollcall/web/picture"
	"rollcall/web/record"
	"rollcall/web/removal"
	"rollcall/web/review"
	"rollcall/web/search"
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
	Rehearse operate.Rehearser
	// Release ends the hold of a source.
	Release operate.Releaser
	// Replay reads quarantined rows again.
	Replay operate.Replayer
	// RowText decrypts a quarantined row.
	RowText operate.RowText
	// Documents reads and changes source documents.
	Documents operate.Documents
	// Jobs changes jobs of the queue.
	Jobs operate.JobControl
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
	// Guides are the guides of the manual in Markdown, by the last part of their addresses.
	Guides map[string]string
	// Vectors are the test vectors of the webhook guide, as JSON.
	Vectors []byte

	// Similar looks for similar names; nil: the search shows none.
	Similar search.Similar
}

// KeyForgetter makes a revoked key stop working at once in this process; auth.Keyring implements
// it.
type KeyForgetter interface{ Forget(keyID string) }

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
	for name, markdown := range o.Guides {
		if guides[name], err = newGuide(strings.ReplaceAll(markdown, exampleRoot, o.Root)); err != nil {
			return nil, err
		}
	}
	return &Site{Options: o, Pages: c, exports: turn.New(1, 0), guides: guides}, nil
}

// functions returns what templates call beside the functions of all pages.
func functions(l *words.Language) template.FuncMap {
	f := template.FuncMap{
		"fact": func(field string) string { return fact.Name(field).In(l) }, "manages": manages,
		"value": func(field string, text *string) string { return fact.Value(field, text).In(l) },
	}
	maps.Copy(f, operate.Funcs())
	maps.Copy(f, review.Funcs())
	maps.Copy(f, status.Funcs(l))
	return f
}

// Routes adds the pages to a router. Every page stands behind Guard, and every form behind Form.
// Passkeys answer scripts in JSON, so they are not read as forms. An error means that the binary was built wrong.
func (s *Site) Routes(r chi.Router) error {
	compressed, err := page.Compressed()
	if err != nil {
		return err
	}
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
	r.Group(func(r chi.Router) {
		r.Use(compressed, s.Guard, s.Form)
		r = page.WithHead{Router: r}
		album := picture.Album{Store: s.Store, Address: s.Photograph}
		r.Post("/language", s.ChooseLanguage)
		s.entrance(r)
		s.ownPasskeys(r)
		s.settings(r)
		s.webhooks(r)
		s.secret(r)
		s.dashboard(r)
		record.Site{Pages: s.Pages, Store: s.Store, Now: s.Now, Album: album}.Routes(r)
		search.Site{Pages: s.Pages, Store: s.Store, Similar: s.Similar, Album: album, Exports: s.exports}.Routes(r)
		person.Site{Pages: s.Pages, Store: s.Store, Similar: s.Similar}.Routes(r)
		watch.Site{Pages: s.Pages, Turns: s.Turns, Exports: s.exports, Album: album}.Routes(r)
		delivery.Site{Pages: s.Pages}.Routes(r)
		operate.Site{
			Pages: s.Pages, Store: s.Store, Rehearse: s.Rehearse, Release: s.Release, Replay: s.Replay, RowText: s.RowText,
			Documents: s.Documents, Jobs: s.Jobs, Now: s.Now,
		}.Routes(r)
		review.Site{Pages: s.Pages, Store: s.Store, Now: s.Now}.Routes(r)
		removal.Site{Pages: s.Pages, Store: s.Store, Now: s.Now}.Routes(r)
		err = s.manual(r)
	})
	return err
}
