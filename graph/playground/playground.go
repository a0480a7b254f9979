// Package playground is the page to try queries on: GraphiQL with its assets, served whole from this
// binary to browsers that open /graphql. It knows nothing of the schema or of who calls.
package playground

import (
	"bytes"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"strings"

	"rollcall/internal/static"
)

// Path is the address below which the page's files are served. They need no key.
const Path = "/static/playground/"

var (
	//go:embed files
	embedded embed.FS
	//go:embed page.html
	pageText string
)

// Playground is the page to try queries on: GraphiQL, served whole from this binary. The page holds
// no data. It asks as the user who is signed in, or with a key that is pasted into it. It is safe
// for concurrent use.
type Playground struct {
	// The page, with a slot for the nonce of each response.
	page  *template.Template
	files *static.Files
	// token returns the token of a request's page.
	token func(*http.Request) string
}

// New reads the embedded files. token returns the token that the page sends with each query of a signed-in user. An error
// means that the binary was built wrong.
func New(token func(*http.Request) string) (*Playground, error) {
	inside, err := fs.Sub(embedded, "files")
	if err != nil {
		return nil, fmt.Errorf("open the playground: %w", err)
	}
	files, err := static.New(Path, inside, nil)
	if err != nil {
		return nil, err
	}
	page, err := template.New("playground").Funcs(template.FuncMap{"asset": files.Address}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("read the playground's page: %w", err)
	}
	return &Playground{page: page, files: files, token: token}, nil
}

// Page answers a browser's GET (Accept names text/html) with the page, and passes everything else
// to next. It stands before the authentication. What it answers never reaches next, so no query is
// executed without a key, whatever else Accept names.
func (p *Playground) Page(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !wantsPage(r) {
			next.ServeHTTP(w, r)
			return
		}
		nonce := rand.Text()
		var b bytes.Buffer
		if err := p.page.Execute(&b, struct{ Nonce, Token string }{nonce, p.token(r)}); err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy(nonce))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Add("Vary", "Accept")
		_, _ = w.Write(b.Bytes())
	})
}

// policy returns the Content-Security-Policy of the page: it may run this binary's scripts and talk
// to this service, and nothing else. A key pasted into the page cannot be sent elsewhere.
func policy(nonce string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'nonce-" + nonce + "'", "style-src 'nonce-" + nonce + "'", "img-src 'self' data:",
		"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// wantsPage reports whether a browser asks for a document.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Upgrade") != "" {
		return false
	}
	for wish := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, err := mime.ParseMediaType(wish); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}

// Assets serves the files below Path. Their addresses change with their content.
func (p *Playground) Assets() http.Handler { return p.files }
