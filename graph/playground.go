package graph

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// PlaygroundAssets is the path below which Playground's files are served. They need no key.
const PlaygroundAssets = "/static/playground/"

//go:embed playground
var playgroundFiles embed.FS

// Playground is a page to try queries on: GraphiQL, served whole from this binary. The page holds
// no data; the user pastes a key into it.
type Playground struct {
	page    *template.Template
	files   fs.FS
	version string // of the files together; part of their addresses
}

// NewPlayground reads the embedded files.
func NewPlayground() (*Playground, error) {
	files, err := fs.Sub(playgroundFiles, "playground")
	if err != nil {
		return nil, fmt.Errorf("open the playground: %w", err)
	}
	page, err := template.ParseFS(files, "page.html")
	if err != nil {
		return nil, fmt.Errorf("read the playground's page: %w", err)
	}
	sum := sha256.New()
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		_, _ = sum.Write(b) // a hash takes everything
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the playground's files: %w", err)
	}
	return &Playground{page: page, files: files, version: hex.EncodeToString(sum.Sum(nil)[:6])}, nil
}

// Page answers a browser's GET (Accept names text/html) with the page, and leaves everything else
// to next. It belongs outside of the authentication: what it answers never reaches next, so no
// query is executed without a key, whatever else Accept names.
func (p *Playground) Page(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !wantsPage(r) {
			next.ServeHTTP(w, r)
			return
		}
		nonce := rand.Text()
		var b bytes.Buffer
		data := struct{ Assets, Version, Nonce string }{PlaygroundAssets, p.version, nonce}
		if err := p.page.Execute(&b, data); err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy(nonce))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Add("Vary", "Accept")
		_, _ = w.Write(b.Bytes())
	})
}

// policy lets the page run this binary's scripts and talk to this service, and nothing else.
func policy(nonce string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'nonce-" + nonce + "'", "style-src 'nonce-" + nonce + "'", "img-src data:",
		"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// wantsPage says whether a browser asks for a document.
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

// Assets serves the files below PlaygroundAssets. Their addresses change with their content.
func (p *Playground) Assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, PlaygroundAssets)
		b, err := fs.ReadFile(p.files, name)
		if err != nil || name == "page.html" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
	})
}
