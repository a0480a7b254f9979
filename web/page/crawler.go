package page

import (
	"io/fs"
	"net/http"
	"path"
	"strconv"
)

// crawled lets search engines read what names nobody: the manual and the status page. Pages with records say noindex too, for those
// who do not read this.
const crawled = "User-agent: *\nAllow: /docs\nAllow: /sign-in$\nAllow: /status$\nAllow: /static/\nDisallow: /\n"

// robots answers /robots.txt (RFC 9309).
func (s *Pages) robots(w http.ResponseWriter, _ *http.Request) {
	send(w, "text/plain; charset=utf-8", []byte(crawled))
}

// favicon answers /favicon.ico, which browsers and chat programs ask for whatever the page says.
func (s *Pages) favicon(w http.ResponseWriter, r *http.Request) {
	b, err := fs.ReadFile(s.Files, path.Join("static", "favicon.ico"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	send(w, "image/x-icon", b)
}

// send answers with a small file that may change with the program.
func send(w http.ResponseWriter, contentType string, b []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(b)))
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b)
}
