// Package buckettest serves buckets from memory, by the protocols of S3 and of Azure Blob Storage as far as rollcall speaks
// them. It is for tests only.
package buckettest

import (
	"crypto/x509"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Server keeps objects under their names. It is safe for concurrent use.
type Server struct {
	// URL is its address: https://127.0.0.1:PORT.
	URL string
	// Roots trust its certificate.
	Roots *x509.CertPool
	// Google lets a server of S3 answer 404 to a deletion of nothing, and rewrite Accept-Encoding before it checks the
	// signature, as Google does. Set it before the first request.
	Google bool
	// Gone lets it answer that its bucket does not exist.
	Gone atomic.Bool

	mu      sync.Mutex
	objects map[string]object
}

type object struct {
	content []byte
	at      time.Time
}

// page is how many names a page of a list has, so that tests with a picture in a folder turn pages.
const page = 1

// serve starts a server until the test ends.
func serve(tb testing.TB, answer func(s *Server, w http.ResponseWriter, r *http.Request)) *Server {
	tb.Helper()
	s := &Server{objects: map[string]object{}}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(s, w, r) }))
	tb.Cleanup(server.Close)
	s.URL, s.Roots = server.URL, x509.NewCertPool()
	s.Roots.AddCert(server.Certificate())
	return s
}

// Names lists what is stored, in order.
func (s *Server) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Put stores an object, as another program may.
func (s *Server) Put(name string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = object{content, time.Now().UTC().Truncate(time.Second)}
}

// get returns an object.
func (s *Server) get(name string) (object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.objects[name]
	return o, ok
}

// remove forgets an object, and reports whether it was there.
func (s *Server) remove(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.objects[name]
	delete(s.objects, name)
	return ok
}

// after lists some names behind another one, and the name that the next page goes on from.
func (s *Server) after(prefix, last string) (names []string, next string) {
	for _, name := range s.Names() {
		if !strings.HasPrefix(name, prefix) || name <= last {
			continue
		}
		if len(names) == page {
			return names, names[page-1]
		}
		names = append(names, name)
	}
	return names, ""
}
