package service

import (
	"io"
	"log/slog"
)

// NewLogger logs text where people read and JSON where machines do. Only ids go into a log, never
// names, birth dates or secrets.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if IsTerminal(w) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
