package simulator

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
)

// Drop writes the file that a feed publishes now into a folder, completely or not at all, and returns its path. Its
// name has the instant, as the names of dropped files do. It is for the feeds that are files: common-csv, court-delta
// and corrections-fixed. Faults apply. The photographs that its rows name lie beside it.
func (s *Simulator) Drop(ctx context.Context, feedID, folder string) (string, error) {
	for _, feed := range s.feeds {
		if feed.ID == feedID && feed.Method == http.MethodGet {
			return s.drop(ctx, feed, folder)
		}
	}
	return "", fmt.Errorf("drop a file: no source %q that is a file", feedID)
}

func (s *Simulator) drop(ctx context.Context, feed Feed, folder string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, feed.Method, feed.Path, http.NoBody)
	if err != nil {
		return "", fmt.Errorf("drop a file of %s: %w", feed.ID, err)
	}
	r.RemoteAddr = "drop:0"
	answer := &held{header: http.Header{}}
	s.handler.ServeHTTP(answer, r)
	_, params, err := mime.ParseMediaType(answer.header.Get("Content-Disposition"))
	if err != nil {
		return "", fmt.Errorf("drop a file of %s: the answer is no file: %w", feed.ID, err)
	}
	if err := s.dropPhotographs(feed, folder); err != nil {
		return "", fmt.Errorf("drop the photographs of %s: %w", feed.ID, err)
	}
	path := filepath.Join(folder, filepath.Base(params["filename"]))
	fresh := filepath.Join(folder, "."+filepath.Base(path)+".new")
	if err := os.WriteFile(fresh, answer.body, 0o600); err != nil {
		return "", fmt.Errorf("drop a file of %s: %w", feed.ID, err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", fmt.Errorf("drop a file of %s: %w", feed.ID, err)
	}
	return path, nil
}

// held is a response that is kept in memory.
type held struct {
	header http.Header
	body   []byte
}

// Header returns the header of the response.
func (h *held) Header() http.Header { return h.header }

// WriteHeader does nothing: only the body counts.
func (h *held) WriteHeader(int) {}

// Write keeps the bytes.
func (h *held) Write(data []byte) (int, error) {
	h.body = append(h.body, data...)
	return len(data), nil
}
