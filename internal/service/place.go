package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// placeFile is the file of the data directory with the public address of the service that ran there last. Commands
// that run beside the service print its links, also where only the service was started with another port.
const placeFile = "base-url"

// keepPlace stores the public address of this service for commands.
func (a *App) keepPlace() error {
	if err := os.MkdirAll(a.DataDir, 0o755); err != nil { //nolint:gosec // the database user passes through
		return fmt.Errorf("make data directory: %w", err)
	}
	if err := os.WriteFile(filepath.Join(a.DataDir, placeFile), []byte(a.BaseURL+"\n"), 0o644); err != nil { //nolint:gosec // no secret
		return fmt.Errorf("write address of the service: %w", err)
	}
	return nil
}

// PublicURL returns the base address for links that a command prints: ROLLCALL_BASE_URL, or that of the service which
// ran last in the data directory, or the default. It ends in /v1.
func (a *App) PublicURL() string {
	if !a.Unset("ROLLCALL_BASE_URL") {
		return a.BaseURL
	}
	text, err := os.ReadFile(filepath.Join(a.DataDir, placeFile))
	if place := strings.TrimSpace(string(text)); err == nil && checkBaseURL(place) == nil {
		return place
	}
	return a.BaseURL
}
