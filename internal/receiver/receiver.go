// Package receiver receives webhooks on this machine, for a subscriber's first minutes, the demo and the benchmarks. What
// a delivery must prove is decided by the package notifier.
package receiver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"

	"rollcall/internal/server"
)

// Server receives in the background until it is stopped or closed.
type Server struct {
	http  *http.Server
	ended chan error
}

// Start serves handler on listener.
func Start(listener net.Listener, handler http.Handler, log *slog.Logger) *Server {
	s := &Server{http: server.New(handler, log), ended: make(chan error, 1)}
	go func() { s.ended <- server.Run(s.http, listener) }()
	return s
}

// Failed yields the error of a server that ended by itself. Neither Stop nor Close may follow.
func (s *Server) Failed() <-chan error { return s.ended }

// Stop takes no new connections and waits for the requests on the wire, or for the end of ctx.
func (s *Server) Stop(ctx context.Context) error {
	return errors.Join(s.http.Shutdown(ctx), <-s.ended)
}

// Close ends every connection at once.
func (s *Server) Close() error {
	return errors.Join(s.http.Close(), <-s.ended)
}
