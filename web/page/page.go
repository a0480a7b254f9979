// Package page is what all pages of the site share: templates within one layout, the headers
// that protect a page, who reads it, forms that are done once however often they are sent, and
// errors as pages.
//
// A request passes Guard (no other site sends it), Form (it is text) and SignedIn, Owner or
// Operator (who reads), and comes to a handler as a Visit. The handler ends with Page or
// Redirect, or returns an error, which becomes a page.
//
// It knows no subject. Records, accounts and sources belong to package web, which passes its
// templates and messages. It may import auth and models, and packages below internal that serve
// HTTP.
package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/internal/static"
	"rollcall/models/store"
	"rollcall/web/words"
)

// templates holds the parsed templates of a language by name, each with the layout around it.
type templates struct {
	byName map[string]*template.Template
	// words is the address of the module with what modules say in this language; empty: English, which they have.
	words string
}

// Options are what the pages need. All are required.
type Options struct {
	// Store keeps the answers of forms, so that a form sent twice is done once.
	Store *store.Store
	// Sessions finds the reader of a page.
	Sessions *auth.Sessions
	// Files holds templates/ and static/.
	Files fs.FS
	// AssetPath is the path below which static/ is served, with a slash at both ends.
	AssetPath string
	// Funcs returns what templates of a language may call beside what every page may (text.go).
	Funcs func(*words.Language) template.FuncMap
	// Done holds what a page says after a form, by the word in ?done=. An address can choose a
	// message, never write one.
	Done map[string]string
	// Root is the public address without a path or trailing slash.
	Root string
	// Log receives errors of ours; pages show only that there was one.
	Log *slog.Logger
	Now func() time.Time
}

// Pages shows pages and decides who may see which. It is safe for concurrent use.
type Pages struct {
	Options
	assets    *static.Files
	languages []*words.Language
	pages     map[*words.Language]*templates
	cross     *http.CrossOriginProtection
}

// New parses all templates at once, so that a mistake in one stops the start and not a request.
func New(o Options) (*Pages, error) {
	inside, err := fs.Sub(o.Files, "static")
	if err != nil {
		return nil, fmt.Errorf("open static files: %w", err)
	}
	languages, err := words.All()
	if err != nil {
		return nil, err
	}
	made, err := modules(languages)
	if err != nil {
		return nil, err
	}
	a, err := static.New(o.AssetPath, inside, made)
	if err != nil {
		return nil, err
	}
	p := &Pages{Options: o, assets: a, languages: languages, pages: map[*words.Language]*templates{}, cross: http.NewCrossOriginProtection()}
	for _, l := range languages {
		f := funcs(a, l)
		maps.Copy(f, o.Funcs(l))
		if p.pages[l], err = newTemplates(o.Files, f, l); err != nil {
			return nil, err
		}
		if l != words.English {
			p.pages[l].words = a.Address(moduleOf(l))
		}
	}
	return p, nil
}

// modules returns the modules with what modules say in each language but English, by their names.
func modules(languages []*words.Language) (map[string][]byte, error) {
	used, err := words.Used()
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, l := range languages {
		if l == words.English {
			continue
		}
		if out[moduleOf(l)], err = l.Module(used); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// moduleOf returns the name of the module with the words of a language.
func moduleOf(l *words.Language) string { return "words." + l.Code + ".js" }

// Assets routes scripts and styles. Their addresses change with their content, so browsers may
// keep them for good.
func (s *Pages) Assets(r chi.Router) {
	r.Method(http.MethodGet, s.AssetPath+"*", s.assets)
	r.Method(http.MethodHead, s.AssetPath+"*", s.assets)
	r = WithHead{Router: r}
	r.Get("/robots.txt", s.robots)
	r.Get("/favicon.ico", s.favicon)
}

// newTemplates parses each page together with the layout and the parts that pages share, in a language. The source is translated
// before it is parsed, so what is escaped, and how, is decided for each language anew.
func newTemplates(files fs.FS, f template.FuncMap, l *words.Language) (*templates, error) {
	around := template.New("layout.html").Funcs(f)
	parts, err := fs.Glob(files, "templates/part*.html")
	if err != nil {
		return nil, fmt.Errorf("list parts: %w", err)
	}
	for _, name := range append([]string{"layout.html"}, parts...) {
		if err := parse(around, files, path.Base(name), l); err != nil {
			return nil, err
		}
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("list pages: %w", err)
	}
	p := &templates{byName: map[string]*template.Template{}}
	for _, name := range names {
		t, err := around.Clone()
		if err != nil {
			return nil, fmt.Errorf("copy layout: %w", err)
		}
		if err := parse(t, files, path.Base(name), l); err != nil {
			return nil, err
		}
		p.byName[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	return p, nil
}

// parse adds a file to a set of templates, in a language.
func parse(set *template.Template, files fs.FS, name string, l *words.Language) error {
	b, err := fs.ReadFile(files, "templates/"+name)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	source := string(b)
	if l != words.English {
		source = words.ReadTemplate(source).Translate(l, name)
	}
	t := set
	if name != set.Name() {
		t = set.New(name)
	}
	if _, err := t.Parse(source); err != nil {
		return fmt.Errorf("read page %s in %s: %w", name, l.Name, err)
	}
	return nil
}

// Show answers with a page. The page is complete before its first byte is sent, so that a
// template which fails ends as an error and not as half a page. The headers keep other sites
// from framing it, and the browser from storing it: the next person at the same computer must
// not read it.
func (s *Pages) Show(w http.ResponseWriter, r *http.Request, v *auth.Visitor, status int, name string, data View) {
	data.Unread = s.unread(r.Context(), v)
	s.show(w, r, v, status, name, "layout.html", data)
}

// show is Show for one of the templates of a page.
func (s *Pages) show(w http.ResponseWriter, r *http.Request, v *auth.Visitor, status int, name, part string, data View) {
	data.Nonce, data.Path, data.Visitor = rand.Text(), r.URL.Path, v
	data.Query, data.Root, data.Theme = r.URL.RawQuery, s.Root, themeOf(r)
	data.Made, data.Token = s.Now(), s.Sessions.PageToken(r)
	if status == http.StatusOK && (data.Signed() || data.Wide) { // an error page does not repeat what was asked for
		// for paper: a printed page says where it came from
		data.Address = s.Root + r.URL.RequestURI()
		if r.Method == http.MethodPost && data.At != "" {
			data.Address = s.Root + data.At // the answer of a form is found again at the page of the form
		}
	}
	pages := s.speak(r, &data)
	var b bytes.Buffer
	if err := pages.byName[name].ExecuteTemplate(&b, part, data); err != nil {
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

// speak puts what data says into the language of the request, and returns the templates of that language.
func (s *Pages) speak(r *http.Request, data *View) *templates {
	l := s.Language(r)
	data.Language, data.Languages, data.Words = l, s.languages, s.pages[l].words
	data.Title, data.About, data.Error = l.Find(data.Title, ""), l.Find(data.About, ""), words.Error(data.Error).In(l)
	return s.pages[l]
}

// Language returns the language in which a request is answered.
func (s *Pages) Language(r *http.Request) *words.Language { return words.Of(r, s.languages) }

// unread counts the unread hits of a reader's account. A page without the number is better than none, so an error is only logged.
func (s *Pages) unread(ctx context.Context, v *auth.Visitor) int {
	if v == nil || !v.Account.Entitled() {
		return 0
	}
	n, err := s.Store.UnreadHits(ctx, v.Account.ID, unreadShown+1)
	if err != nil {
		s.Log.ErrorContext(ctx, "unread hits not counted", "error", err)
	}
	return n
}

// policy returns the Content-Security-Policy of a page. It may run this binary's scripts and
// talk to this service, and nothing else. Modules that a script imports inherit its nonce.
func policy(nonce string) string {
	return strings.Join([]string{
		// 'self' is missing from script-src on purpose: an upload or an echo of this site must not run either.
		"default-src 'none'", "script-src 'nonce-" + nonce + "'", "style-src 'nonce-" + nonce + "'", "img-src 'self' data:",
		"connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// Page shows a page to a visitor. The word after ?done= names what was done before it. With
// data.Error the status is 422 unless data says another.
func (s *Pages) Page(v *Visit, name string, data View) error {
	if len(data.Done) == 0 {
		data.Done = words.Fixed(s.Done[v.R.URL.Query().Get("done")])
	}
	s.Show(v.W, v.R, v.Visitor, data.settle(), name, data)
	return nil
}

// Part shows a template of a page alone, without the layout, to a script that puts it into the page. Headers and statuses are those of
// the page.
func (s *Pages) Part(v *Visit, name, part string, data View) error {
	s.show(v.W, v.R, v.Visitor, data.settle(), name, part, data)
	return nil
}

// settle returns the status of the answer, and makes the error a sentence.
func (v *View) settle() int {
	switch {
	case v.Error == "":
		return http.StatusOK
	case v.Status == 0:
		v.Status = http.StatusUnprocessableEntity
	}
	v.Error = Sentence(v.Error)
	return v.Status
}
