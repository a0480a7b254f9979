package web

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"rollcall/auth"
	"rollcall/internal/static"
	"rollcall/models"
)

// pages are the parsed templates, each with the layout around it.
type pages struct {
	byName map[string]*template.Template
}

// view is what a page is made of.
type view struct {
	Title  string
	Script string // module of the page below static/, without .js; empty: none
	Style  string // style sheet of the page alone below static/, without .css; empty: none
	Wide   bool   // takes the whole width also for readers who are not signed in
	Body   any    // what the page's own template shows
	Done   string // says that something was done; empty: nothing was
	Error  string // says why something was not done; empty: nothing went wrong
	Field  string // name of the field that Error is about; empty: of none, or of several
	Status int    // of the answer that shows Error; 0: 422
	At     string // address of the page, where it answers a form
	Fresh  bool   // parts of it are figures that are read again while it stays open
	Linked bool   // the reader comes in by a link that works again, and may have no password

	// Filled in by show.
	Nonce   string
	Path    string
	Query   string
	Address string    // of the page, whole, for paper; empty: it shows nothing worth keeping
	Made    time.Time // when the page was made
	Visitor *auth.Visitor
}

// Signed says whether the reader is signed in.
func (v view) Signed() bool { return v.Visitor != nil }

// Again is the address of the page itself, without what is said once.
func (v view) Again() string {
	if v.At != "" {
		return v.At
	}
	asked, err := url.ParseQuery(v.Query)
	if err != nil {
		return v.Path
	}
	asked.Del("done")
	return (&url.URL{Path: v.Path, RawQuery: asked.Encode()}).String()
}

// failed shows why something was not done.
func (v *view) failed(why error) {
	v.Error = said(why)
	if known, ok := errors.AsType[*models.Error](why); ok {
		v.Field = known.Field
	}
}

// Wrong are the attributes of a field of that name: a mistake in it is told to who does not see the page.
func (v view) Wrong(name string) template.HTMLAttr { return wrong(v.Error != "" && v.Field == name) }

func wrong(is bool) template.HTMLAttr {
	if !is {
		return ""
	}
	return `aria-invalid="true" aria-describedby="problem"`
}

// In says whether the page lies in a part of the site, for the navigation.
func (v view) In(part string) bool { return v.Path == part || strings.HasPrefix(v.Path, part+"/") }

// Enterprise says whether the reader's account has the API, records, alerts and webhooks.
func (v view) Enterprise() bool {
	return v.Visitor != nil && v.Visitor.Account.Plan == models.Enterprise
}

// Plan is the name of the plan of the reader's account, as people write it.
func (v view) Plan() string {
	name := string(v.Visitor.Account.Plan)
	return strings.ToUpper(name[:1]) + name[1:]
}

// Owner says whether the reader decides who belongs to the account.
func (v view) Owner() bool { return v.Visitor != nil && v.Visitor.User.Role == models.Owner }

// Operator says whether the reader looks after the sources.
func (v view) Operator() bool { return v.Visitor != nil && v.Visitor.User.Operator }

func newPages(a *static.Files) (*pages, error) {
	layout, err := template.New("layout.html").Funcs(funcs(a)).ParseFS(files, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("read layout: %w", err)
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("list pages: %w", err)
	}
	p := &pages{byName: map[string]*template.Template{}}
	for _, name := range names {
		t, err := layout.Clone()
		if err == nil {
			t, err = t.ParseFS(files, name)
		}
		if err != nil {
			return nil, fmt.Errorf("read page %s: %w", name, err)
		}
		p.byName[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	return p, nil
}

// show answers with a page. It is whole before the first byte is sent.
func (s *Site) show(w http.ResponseWriter, r *http.Request, v *auth.Visitor, status int, name string, data view) {
	data.Nonce, data.Path, data.Visitor = rand.Text(), r.URL.Path, v
	data.Query = r.URL.RawQuery
	data.Made = s.Now()
	if status == http.StatusOK && (data.Signed() || data.Wide) { // what fails says nothing of what was asked for
		data.Address = s.Root + r.URL.RequestURI()
		if r.Method == http.MethodPost && data.At != "" {
			data.Address = s.Root + data.At // what answers a form is found at the page that the form is on
		}
	}
	var b bytes.Buffer
	if err := s.pages.byName[name].ExecuteTemplate(&b, "layout.html", data); err != nil {
		s.Log.ErrorContext(r.Context(), "page not made", "page", name, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy(data.Nonce))
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), publickey-credentials-create=(self), publickey-credentials-get=(self)")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// policy lets a page run this binary's scripts and talk to this service, and nothing else. Modules that a script imports
// inherit its nonce.
func policy(nonce string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'nonce-" + nonce + "'", "style-src 'nonce-" + nonce + "'", "img-src 'self' data:",
		"connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// page shows a page to a visitor. The word after ?done= names what was done before it.
func (s *Site) page(v *visit, name string, data view) error {
	if data.Done == "" {
		data.Done = done[v.r.URL.Query().Get("done")]
	}
	status := http.StatusOK
	if data.Error != "" {
		if status = data.Status; status == 0 {
			status = http.StatusUnprocessableEntity
		}
		data.Error = sentence(data.Error)
	}
	s.show(v.w, v.r, v.Visitor, status, name, data)
	return nil
}

// done are the messages that a page may be asked to show after a form: an address can choose one, never write one.
var done = map[string]string{
	"revoked":         "The key was revoked. Requests with it are refused from now on.",
	"calendar-ended":  "The calendar’s address was ended: it answers nothing from now on.",
	"invited":         "The invitation was taken back.",
	"reset-back":      "The new-password link was taken back.",
	"role":            "The role was changed.",
	"removed":         "The member was removed and signed out.",
	"password":        "Your password was changed, and every other session was signed out.",
	"released":        "The source goes on: what was held, and what does no worse, is taken.",
	"renumbered":      "The source goes on: until its next complete snapshot, people under new keys are recognised by name and time of booking, and keep their bookings.",
	"held":            "The source is held: what it brings is kept and not applied, until you release it.",
	"asked":           "The source is read as soon as there is room: the list of runs shows how it went.",
	"enabled":         "The source runs on its schedule again.",
	"disabled":        "The schedule of the source was stopped.",
	"signed-out":      "You are signed out.",
	"everywhere":      "You are signed out in every browser.",
	"ended":           "Your session had ended. Sign in, and go on where you were.",
	"reset":           "Your password was set. Sign in with it; passkeys that you had were removed with the old one.",
	"alert-paused":    "The alert is paused.",
	"alert-deleted":   "The alert was deleted. What was under way for it was dropped.",
	"hook-added":      "The endpoint was added. Send it a test, and give its receiver the webhook secret.",
	"hook-changed":    "The endpoint was changed. What is under way goes to it as it is now.",
	"hook-paused":     "The endpoint is paused: it is sent nothing until you resume it.",
	"hook-resumed":    "The endpoint is sent events again.",
	"hook-enabled":    "The endpoint is enabled, and its failures are forgotten.",
	"hook-deleted":    "The endpoint was deleted. What was under way to it was dropped.",
	"hook-replayed":   "They are being sent again: the list shows how it goes.",
	"rotated":         "Only the new secret signs from now on.",
	"not-rotated":     "The new secret is forgotten: the old one goes on alone.",
	"passkey":         "The passkey was added: it signs you in from now on.",
	"passkey-removed": "The passkey was removed.",
	"lifted":          "The record is published.",
	"kept":            "The record is hidden, and nobody is asked about it again.",
	"retried":         "The job runs as soon as there is room.",
	"cancelled":       "The job was cancelled.",
}

// redirect sends the browser on after a form.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // addresses of this site: what comes from outside went through inside
	return nil
}

// spoken is a parameter of /v1 as people say it.
func spoken(name string) string {
	switch name {
	case "email":
		return "the e-mail"
	case "birth_year":
		return "the year of birth"
	}
	return name
}

// said is what a page says of an error.
func said(err error) string {
	if known, ok := errors.AsType[*models.Error](err); ok {
		return known.Say(spoken)
	}
	return err.Error()
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}
