package main

import (
	"io"
	"log/slog"
)

// newLogger logs text where people read and JSON where machines do. Only ids go into a log, never
// names, birth dates or secrets.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if isTerminal(w) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
