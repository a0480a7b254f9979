package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"rollcall/ingest/fetch"
)

// fetch brings the documents of a source by its transport.
func (r *Runner) fetch(ctx context.Context, s *Source, dir string) ([]fetch.Document, error) {
	switch s.Transport.Kind {
	case "http":
		client := r.Client
		if client == nil {
			own, err := s.Transport.NewClient()
			if err != nil {
				return nil, err
			}
			client = own
		}
		gap := s.Transport.Pause
		if gap == 0 {
			gap = time.Second
		}
		client = &polite{client: client, hosts: r.Store, gap: gap}
		r.progress("fetch", 0, 0, 0)
		return s.Transport.Get(ctx, client, fetch.Bounds{Bytes: s.Limits.Bytes, Pages: s.Limits.Pages, Time: s.Limits.Time}, dir, r.Now())
	default:
		return nil, fmt.Errorf("source %s has no transport: give its files", s.ID)
	}
}

// dropped lists the files of the source's folder, by name.
func (s *Source) dropped() ([]string, error) {
	if s.Transport.Folder == "" {
		return nil, fmt.Errorf("source %s names no folder: give its files", s.ID)
	}
	entries, err := os.ReadDir(s.Transport.Folder)
	if err != nil {
		return nil, fmt.Errorf("read folder of %s: %w", s.ID, err)
	}
	pattern, err := regexp.Compile(s.Transport.Pattern)
	if err != nil {
		return nil, fmt.Errorf("read pattern of %s: %w", s.ID, err)
	}
	var files []string
	for _, e := range entries {
		if e.Type().IsRegular() && pattern.MatchString(e.Name()) {
			files = append(files, filepath.Join(s.Transport.Folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder of %s holds no file", s.ID)
	}
	return files, nil
}
