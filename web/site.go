package web

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"

	"rollcall/auth"
	"rollcall/internal/server"
	"rollcall/internal/static"
	"rollcall/models"
	"rollcall/models/store"
)

//go:embed templates static
var files embed.FS

// maxForm bounds the body of a form, in bytes.
const maxForm = 64 << 10

// Options of the site; all are needed, but passkeys.
type Options struct {
	Store     *store.Store
	Sessions  *auth.Sessions
	Passkeys  *auth.Passkeys // nil: the site has none
	Keys      KeyForgetter
	Usage     UsageReader
	Rehearse  Rehearser
	Replay    Replayer
	RowText   RowText
	Jobs      JobControl
	Endpoints Endpoints
	Secrets   SecretKeeper
	Proxies   auth.Proxies
	Root      string // public address without a path or trailing slash, such as https://records.example.org
	Log       *slog.Logger
	Now       func() time.Time

	Reference template.HTML // of /v1, as its page shows it
	Webhooks  string        // the guide for receivers, in Markdown
}

// KeyForgetter makes a revoked key stop working at once in this process (auth.Keyring).
type KeyForgetter interface{ Forget(keyID string) }

// Rehearser tells what the newest held snapshot of a source would do, and does nothing of it; nil when no snapshot is held.
type Rehearser func(ctx context.Context, sourceID string) (*HeldSnapshot, error)

// HeldSnapshot is what a held snapshot would do, were it applied.
type HeldSnapshot struct {
	Run, Rows, New, Changed, Closed, Reopened, Missing int
	Again                                              int  // of those who would be released, in it under new keys
	Complete                                           bool // else it would close nobody
	Doubts                                             []string
	Note                                               string           // why it cannot be applied at all; empty: it can
	Gone                                               []models.Gone    // who would be released or hidden, a thousand at most
	Fresh                                              []models.Gone    // who would be new, 200 at most
	Altered                                            []models.Altered // whose facts would change otherwise, 200 at most
	Alters                                             int              // how many there are of those
}

// UsageReader tells the use of an account's request limit (auth.Meter).
type UsageReader interface {
	Usage(ctx context.Context, account *models.Account) (*models.Usage, error)
}

// Site serves the pages.
type Site struct {
	Options
	pages  *pages
	assets *static.Files
	guide  *guide
	cross  *http.CrossOriginProtection
}

// New reads the embedded pages.
func New(o Options) (*Site, error) {
	a, err := newAssets()
	if err != nil {
		return nil, err
	}
	p, err := newPages(a)
	if err != nil {
		return nil, err
	}
	g, err := newGuide(o.Webhooks)
	if err != nil {
		return nil, err
	}
	return &Site{Options: o, pages: p, assets: a, guide: g, cross: http.NewCrossOriginProtection()}, nil
}

// Routes adds the pages to a router. What is not among them stays the router's.
func (s *Site) Routes(r chi.Router) {
	assets := gzhttp.GzipHandler(s.assets)
	r.Method(http.MethodGet, assetPath+"*", assets)
	r.Method(http.MethodHead, assetPath+"*", assets)
	r.Group(func(r chi.Router) {
		r.Use(s.ours)
		s.passkeys(r)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.ours, s.form)
		r = withHead{r}
		s.entrance(r)
		s.ownPasskeys(r)
		s.settings(r)
		s.webhooks(r)
		s.secret(r)
		s.dashboard(r)
		s.alerts(r)
		s.operators(r)
		s.withheld(r)
		s.manual(r)
	})
}

// withHead answers HEAD wherever it answers GET.
type withHead struct{ chi.Router }

// Get routes both methods. A page that does something by being opened is routed with Method instead.
func (r withHead) Get(pattern string, h http.HandlerFunc) {
	r.Router.Get(pattern, h)
	r.Head(pattern, h)
}

// ours refuses what a page of another site sends, and bounds bodies.
func (s *Site) ours(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cross.Check(r) != nil {
			s.fail(w, r, s.whoever(r), &models.Error{Code: models.CodeForbidden, Message: "this form was submitted from another site; open the page here and try again"})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// form refuses what no page sends.
func (s *Site) form(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := readForm(r); err != nil {
			s.fail(w, r, s.whoever(r), err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// formType is how a page sends its forms.
const formType = "application/x-www-form-urlencoded"

// readForm parses what was asked and sent. A body of another kind is refused: it would be read as an empty form.
func readForm(r *http.Request) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != formType) {
		return &models.Error{Code: models.CodeUnsupportedMedia, Message: "a form of these pages is sent as " + formType + "; nothing of this one was read, and nothing was done"}
	}
	var big *http.MaxBytesError
	switch err := r.ParseForm(); {
	case errors.As(err, &big):
		return &models.Error{Code: models.CodePayloadTooLarge, Message: fmt.Sprintf("a form holds at most %d KB; go back and write less: nothing was done", big.Limit>>10)}
	case err != nil:
		return &models.Error{Code: models.CodeInvalidRequest, Message: "the form cannot be read; go back and try again"}
	case !isText(r.URL.Path):
		return errNoPage
	}
	for _, values := range r.Form {
		if !isText(values...) {
			return &models.Error{Code: models.CodeInvalidRequest, Message: "the form contains characters that are not text; go back and enter it again"}
		}
	}
	return nil
}

// isText says whether the database can hold all of these as text.
func isText(values ...string) bool {
	for _, v := range values {
		if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
			return false
		}
	}
	return true
}

// whoever is the reader of a page that anybody may see; nil: nobody who is signed in, or that cannot be told now.
func (s *Site) whoever(r *http.Request) *auth.Visitor {
	v, err := s.Sessions.Visitor(r)
	if err != nil {
		return nil
	}
	return v
}

// open makes a handler of a page that anybody may see.
func (s *Site) open(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, nil, err)
		}
	}
}

// visit is a request of somebody who is signed in.
type visit struct {
	*auth.Visitor
	w http.ResponseWriter
	r *http.Request
}

// signedIn makes a handler of a page for visitors; others are led to the sign-in page, and back afterwards.
func (s *Site) signedIn(h func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := s.Sessions.Visitor(r)
		if models.CodeOf(err) == models.CodeUnauthorized {
			s.toSignIn(w, r)
			return
		}
		if err == nil {
			err = s.Sessions.Admit(r.Context(), v)
		}
		if err == nil && r.Method == http.MethodPost {
			err = v.Meant(r.PostFormValue("reader"))
		}
		if err == nil {
			err = s.once(&visit{Visitor: v, w: w, r: r}, h) //nolint:contextcheck // it takes that of the request
		}
		if err != nil {
			s.fail(w, r, v, err)
		}
	}
}

// owner is signedIn for those who decide who belongs to the account.
func (s *Site) owner(h func(*visit) error) http.HandlerFunc {
	return s.signedIn(func(v *visit) error {
		if v.User.Role != models.Owner {
			return &models.Error{Code: models.CodeForbidden, Message: "only an owner of the account may do this"}
		}
		return h(v)
	})
}

// operator is signedIn for those who look after the sources. Others learn no more than of a page that does not exist.
func (s *Site) operator(h func(*visit) error) http.HandlerFunc {
	return s.signedIn(func(v *visit) error {
		if !v.User.Operator {
			return errNoPage
		}
		return h(v)
	})
}

// fail shows an error as a page. What is not the reader's to know is logged, and shown as a failure of ours.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, v *auth.Visitor, err error) {
	code := models.CodeOf(err)
	message := "Something went wrong on our side. It has been noted; try again in a moment."
	var known *models.Error
	switch {
	case errors.As(err, &known):
		message = sentence(said(known))
	case code == models.CodeUnavailable:
		message = "The database does not answer at the moment. Try again in a few seconds."
	case server.ClientLeft(r.Context()): // nobody reads the page
	default:
		s.Log.ErrorContext(r.Context(), "page failed", "route", chi.RouteContext(r.Context()).RoutePattern(), "error", err)
	}
	status := statusOf(code)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	title := cmp.Or(titles[status], http.StatusText(status))
	switch {
	case errors.Is(err, errNoRecord):
		title = "No such record"
	case errors.Is(err, errSent):
		title = "This was sent already"
	}
	s.show(w, r, v, status, "error", view{Title: title, Body: message})
}

// titles are the statuses as people say them.
var titles = map[int]string{
	http.StatusBadRequest: "That is not understood", http.StatusNotFound: "There is nothing here", http.StatusForbidden: "This is not for you to do", http.StatusMethodNotAllowed: "This address is for something else",
	http.StatusConflict: "It was not done", http.StatusRequestEntityTooLarge: "That is too much", http.StatusUnsupportedMediaType: "That cannot be read",
	http.StatusTooManyRequests: "Too many at once", http.StatusServiceUnavailable: "Not at the moment", http.StatusInternalServerError: "Something went wrong",
}

// statusOf is the table from codes to statuses.
func statusOf(c models.Code) int {
	switch c {
	case models.CodeUnauthorized:
		return http.StatusUnauthorized
	case models.CodeForbidden:
		return http.StatusForbidden
	case models.CodeNotFound:
		return http.StatusNotFound
	case models.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case models.CodeConflict:
		return http.StatusConflict
	case models.CodePayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case models.CodeUnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case models.CodeRateLimited:
		return http.StatusTooManyRequests
	case models.CodeInvalidParameter, models.CodeInvalidRequest:
		return http.StatusBadRequest
	case models.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
