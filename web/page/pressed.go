package page

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"rollcall/auth"
	"rollcall/internal/coding"
	"rollcall/web/words"
)

// pressedFor is how long a pressed page is sent before it is made again.
const pressedFor = time.Minute

// pressed is a page as it is sent to everybody who is not signed in.
type pressed struct {
	made          time.Time
	status        int
	header        http.Header
	plain, zipped []byte
}

// Pressed returns the handler of a long page that is the same for all who are not signed in, but for the theme and the language. For them
// it is made and compressed once a minute, so that nobody can have it compressed over and over. A reader who is signed in gets it as show
// makes it.
func (s *Pages) Pressed(show func(w http.ResponseWriter, r *http.Request, v *auth.Visitor)) http.HandlerFunc {
	var mu sync.Mutex
	last := map[string]*pressed{} // by theme and language, of which there are few
	return func(w http.ResponseWriter, r *http.Request) {
		if v := s.Reader(r); v != nil {
			show(w, r, v)
			return
		}
		l := s.Language(r)
		mu.Lock()
		theme := themeOf(r)
		look := theme + " " + l.Code
		p := last[look]
		if now := s.Now(); p == nil || now.Sub(p.made) >= pressedFor {
			p = press(now, r, theme, l, show)
			last[look] = p
		}
		mu.Unlock()
		p.serve(w, r)
	}
}

// press makes a page for nobody in particular: what the request asks for beside the path, the theme and the language is not part of it.
func press(now time.Time, r *http.Request, theme string, l *words.Language, show func(http.ResponseWriter, *http.Request, *auth.Visitor)) *pressed {
	asked := r.Clone(r.Context())
	asked.Method, asked.URL.RawQuery, asked.Header = http.MethodGet, "", http.Header{"Accept-Language": {l.Code}}
	asked.AddCookie(&http.Cookie{Name: themeCookie, Value: theme}) //nolint:gosec // of a request that nobody sends
	made := &sheet{header: http.Header{}, status: http.StatusOK}
	show(made, asked, nil)
	return &pressed{made: now, status: made.status, header: made.header, plain: made.body.Bytes(), zipped: coding.Zipped(made.body.Bytes())}
}

// serve sends a page in the coding that the client takes.
func (p *pressed) serve(w http.ResponseWriter, r *http.Request) {
	h, body := w.Header(), p.plain
	maps.Copy(h, p.header)
	h.Add("Vary", "Accept-Encoding")
	if to := coding.Negotiate(r.Header.Values("Accept-Encoding"), coding.Gzip); to == coding.Gzip {
		h.Set("Content-Encoding", string(to))
		body = p.zipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client has left
	}
}

// sheet is an answer in memory.
type sheet struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (s *sheet) Header() http.Header { return s.header }

func (s *sheet) Write(b []byte) (int, error) { return s.body.Write(b) }

func (s *sheet) WriteHeader(status int) { s.status = status }
