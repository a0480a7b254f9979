package simulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits of a request. A page may be larger than the vendor's own only up to maxPage rows.
const (
	maxBody = 64 << 10
	maxPage = 500
)

// endpoint answers one path of a feed. first reports whether a request begins a reading; later pages of the reading
// show the same snapshot.
type endpoint struct {
	pattern string
	first   func(query) bool
	serve   func(*view, http.ResponseWriter, query)
}

// query is a request whose body has been read.
type query struct {
	*http.Request
	body []byte
}

// shape is a vendor: the paths of its feeds, what they answer, and how it reports an error.
type shape struct {
	method, path string
	interval     time.Duration
	endpoints    []endpoint
	// sorry is the vendor's error message with its media type.
	sorry, media string
}

// jailShapes are the vendors of jails; a `%s` of a path is the county.
var jailShapes = map[string]shape{
	ShapeCommonCSV: commonCSV,
	ShapeZuercher:  zuercher,
	ShapeCitizen:   citizen,
	ShapeNewWorld:  newWorld,
	ShapeEagle:     eagle,
	ShapeConnect:   connect,
	ShapeDocket:    docket,
	ShapeRosterXML: rosterXML,
}

// feed returns the feed of one jail with this vendor.
func (sh shape) feed(r Roster) Feed {
	f := Feed{
		ID: r.Shape + "/" + r.County, Shape: r.Shape, County: r.County, Base: "/" + r.Shape,
		Method: sh.method, Path: fmt.Sprintf(sh.path, r.County), Interval: sh.interval,
	}
	if strings.HasPrefix(f.Path, "/"+f.ID+"/") {
		f.Base = "/" + f.ID
	}
	return f
}

// always is for endpoints whose every request begins a reading, never for those that belong to one.
func always(query) bool { return true }
func never(query) bool  { return false }

// Handler serves every feed under its path, and a list of them at `/`.
func (s *Simulator) Handler() http.Handler { return s.handler }

// routes has one handler for each endpoint of each feed.
func (s *Simulator) routes() http.Handler {
	mux := http.NewServeMux()
	for _, feed := range s.feeds {
		sh, jail := jailShapes[feed.Shape]
		switch {
		case jail:
		case feed.Shape == ShapeCourtDelta:
			sh = courtDelta
		default:
			sh = corrections
		}
		for _, e := range sh.endpoints {
			pattern := e.pattern
			if jail {
				pattern = fmt.Sprintf(pattern, feed.County)
			}
			mux.Handle(pattern, s.answer(feed, sh, e))
		}
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(s.feeds); err != nil {
			return // the reader went away
		}
	})
	return mux
}

// answer serves an endpoint with the faults that its feed has at the time.
func (s *Simulator) answer(feed Feed, sh shape, e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		q := query{r, body}
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		v := s.look(feed, host+" "+r.UserAgent(), e.first(q))
		switch {
		case v.has(Captcha):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(captchaPage))
		case v.has(ErrorAs200):
			w.Header().Set("Content-Type", sh.media)
			_, _ = w.Write([]byte(sh.sorry))
		// Cutting needs the whole answer first, because templates write it in pieces.
		case v.has(Truncated):
			whole := &held{header: w.Header()}
			e.serve(v, whole, q)
			_, _ = w.Write(whole.body[:len(whole.body)*3/5])
		default:
			e.serve(v, w, q)
		}
	})
}

const captchaPage = `<!DOCTYPE html>
<html><head><title>Just a moment...</title></head><body>
<h1>Please verify that you are a human being</h1>
<form method="post"><div class="g-recaptcha" data-sitekey="invented"></div><input type="submit" value="Continue"></form>
</body></html>
`

// Listen opens a listener for Serve. Only a loopback address is accepted: nobody on a network may take an invented jail
// for a real one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen for the simulator: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen for the simulator: %q is not a loopback address", host)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the simulator: %w", err)
	}
	return listener, nil
}

// Serve answers on the listener until the context ends, then finishes what it is answering. It closes the listener.
func (s *Simulator) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err := server.Shutdown(drain)
		if errors.Is(err, context.DeadlineExceeded) { // a client that connected and never asked
			err = server.Close()
		}
		stopped <- err
	})
	err := server.Serve(listener)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the simulator: %w", err)
	}
	if err := <-stopped; err != nil {
		return fmt.Errorf("stop the simulator: %w", err)
	}
	return nil
}

// number returns an integer parameter, or other if there is none.
func number(q query, name string, other int) int {
	n, err := strconv.Atoi(q.URL.Query().Get(name))
	if err != nil {
		return other
	}
	return n
}

// firstPage reports whether the page number in the named parameter is that of the first page.
func firstPage(name string) func(query) bool {
	return func(q query) bool { return number(q, name, 1) <= 1 }
}
