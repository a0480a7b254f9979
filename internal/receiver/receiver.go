// Package receiver receives webhooks on this machine: for the first minutes of a subscriber (`rollcall webhook
// listen`), for the demo and for the benchmarks. What a delivery must prove is decided by notifier.Receiver;
// this package has the server, the certificate and the printing around it. It is no example for receivers on
// the internet, whose certificate comes from a public authority.
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
	http *http.Server
	// ended has the result of serving, once.
	ended chan error
}

// Start serves handler on listener, which may be a TLS listener. The caller stops or closes the server.
func Start(listener net.Listener, handler http.Handler, log *slog.Logger) *Server {
	s := &Server{http: server.New(handler, log), ended: make(chan error, 1)}
	go func() { s.ended <- server.Run(s.http, listener) }()
	return s
}

// Failed returns a channel with the error of a server that ended by itself. After a receive from it neither
// Stop nor Close may be called, because they wait for the same value.
func (s *Server) Failed() <-chan error { return s.ended }

// Stop takes no new connections and waits for the requests on the wire, or for the end of ctx.
func (s *Server) Stop(ctx context.Context) error {
	return errors.Join(s.http.Shutdown(ctx), <-s.ended)
}

// Close ends every connection at once. Deliveries on the wire fail and are tried again by their sender.
func (s *Server) Close() error {
	return errors.Join(s.http.Close(), <-s.ended)
}
