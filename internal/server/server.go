// Package server makes the HTTP servers of this program: all of them with the same time-outs. It knows no routes.
package server

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Time-outs of the servers. An answer that streams (SSE, websocket) lifts its own write time-out.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeader         = 64 << 10
)

// New returns a server that has bounds on time and on headers. What connections do wrong is logged at debug.
func New(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Run serves until the server is shut down or closed, which is no error. It returns the error that ended it
// otherwise.
func Run(s *http.Server, l net.Listener) error {
	if err := s.Serve(alike{l}); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
