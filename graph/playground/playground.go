// Package playground is GraphiQL with its assets, served whole from this binary, and the choice of who opens /graphql as a page to
// try queries on. The page itself is one of package web, with the head of all pages. It knows nothing of the schema or of who calls.
package playground

import (
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"strings"

	"rollcall/internal/static"
)

// Path is the address below which the page's files are served. They need no key.
const Path = "/static/playground/"

//go:embed files
var embedded embed.FS

// Playground is GraphiQL with the scripts that start it. It is safe for concurrent use.
type Playground struct{ files *static.Files }

// New reads the embedded files. An error means that the binary was built wrong.
func New() (*Playground, error) {
	inside, err := fs.Sub(embedded, "files")
	if err != nil {
		return nil, fmt.Errorf("open the playground: %w", err)
	}
	files, err := static.New(Path, inside, nil)
	if err != nil {
		return nil, err
	}
	return &Playground{files: files}, nil
}

// Styles returns the addresses of the page's style sheets, in their order.
func (p *Playground) Styles() []string { return p.addresses("reset.css", "graphiql.css", "page.css") }

// Scripts returns the addresses of the page's scripts, in their order. They are scripts and no modules.
func (p *Playground) Scripts() []string {
	return p.addresses("react.js", "react-dom.js", "graphiql.js", "examples.js", "stream.js", "leave.js", "mend.js", "page.js")
}

func (p *Playground) addresses(names ...string) []string {
	for i, name := range names {
		names[i] = p.files.Address(name)
	}
	return names
}

// Assets serves the files below Path. Their addresses change with their content.
func (p *Playground) Assets() http.Handler { return p.files }

// Page answers a browser's GET (Accept names text/html) with page, and passes everything else to next. It stands before the
// authentication. What page answers never reaches next, so no query is executed without a key, whatever else Accept names.
func Page(page, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !wantsPage(r) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept")
		page.ServeHTTP(w, r)
	})
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
