package ingest

import (
	"context"
	"fmt"
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
		return s.Transport.Get(ctx, client, s.bounds(), dir, r.Now(), func(ctx context.Context, pattern string) (int, error) {
			return r.Store.HighestNumber(ctx, s.ID, pattern)
		})
	default:
		return nil, fmt.Errorf("source %s has no transport: give its files", s.ID)
	}
}

func (s *Source) bounds() fetch.Bounds {
	return fetch.Bounds{Bytes: s.Limits.Bytes, Pages: s.Limits.Pages, Time: s.Limits.Time}
}
