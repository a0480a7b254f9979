package service

import (
	"io"
	"log/slog"
)

// NewLogger returns a logger that writes text to a terminal and JSON to anything else. Only ids go into the
// log, never names, birth dates or secrets (CONTRIBUTING.md); a log is read by more people than a record.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if IsTerminal(w) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
