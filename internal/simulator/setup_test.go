package simulator

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// founded is when the worlds of the tests begin: noon of a Wednesday in Georgia.
var founded = time.Date(2026, 7, 8, 16, 0, 0, 0, time.UTC)

// clock is a clock that stands until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// bundle is a world with its clock.
type bundle struct {
	*Simulator
	clock *clock
}

// setup founds a world. Options but the clock may be given.
func setup(t *testing.T, o Options) bundle {
	t.Helper()
	c := &clock{at: founded}
	if o.Resume != nil {
		c.at = o.Resume.Sessions[len(o.Resume.Sessions)-1].Until
	}
	o.Now = c.now
	sim, err := New(o)
	require.NoError(t, err)
	return bundle{sim, c}
}

// oneOfEach are rosters in every shape of jails.
func oneOfEach() []Roster {
	return []Roster{
		{"bartow", ShapeZuercher},
		{"glynn", ShapeCommonCSV},
		{"hall", ShapeCitizen},
		{"houston", ShapeNewWorld},
		{"laurens", ShapeEagle},
		{"lowndes", ShapeConnect},
		{"floyd", ShapeDocket},
		{"ben-hill", ShapeRosterXML},
	}
}

// ask sends a request to the handler, with the cookie and header that the warm-up of shape F7 gives.
func (b bundle) ask(t *testing.T, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if strings.HasPrefix(path, "/citizen/") {
		county := strings.Split(path, "/")[2]
		r.AddCookie(&http.Cookie{Name: citizenCookie, Value: token(county)})
		r.Header.Set(citizenHeader, token(county))
	}
	if strings.HasPrefix(path, "/connect/") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	return w
}

// fetch gives the body of an answer with status 200.
func (b bundle) fetch(t *testing.T, method, path, body string) string {
	t.Helper()
	w := b.ask(t, method, path, body)
	require.Equal(t, http.StatusOK, w.Code, "%s %s", method, path)
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return string(text)
}

// firstBody is what a reader sends to a feed for its first page.
func firstBody(feed Feed) string {
	switch feed.Shape {
	case ShapeZuercher:
		return `{"paging":{"start":0,"count":100}}`
	case ShapeCitizen:
		return `{"PagingOptions":{"Take":100,"Skip":0}}`
	case ShapeConnect:
		return "page=1"
	}
	return ""
}

// send sends a request as it is.
func (b bundle) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	return w
}
