package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
)

// fetch brings the documents of a source by its transport.
func (r *Runner) fetch(ctx context.Context, s *Source, dir string) (*fetch.Found, error) {
	switch s.Transport.Kind {
	case "http":
		client, err := r.Asks(s)
		if err != nil {
			return nil, err
		}
		r.progress("fetch", 0, 0, 0)
		return s.Transport.Get(ctx, client, s.bounds(), dir, r.Now(), fetch.Caller{Judge: s.judge, Known: func(ctx context.Context, pattern string) (int, error) {
			return r.Store.HighestNumber(ctx, s.ID, pattern)
		}})
	default:
		return nil, fmt.Errorf("source %s has no transport: give its files", s.ID)
	}
}

// Asks returns what asks the hosts of a source over HTTP: public addresses alone, and each host only when it is its turn. A source
// whose document names no pause is asked once a second at most.
func (r *Runner) Asks(s *Source) (*fetch.Polite, error) {
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
	return &fetch.Polite{Client: client, Hosts: r.Store, Gap: gap}, nil
}

// judge returns the error that a page shows instead of rows, such as a captcha. The page behind the last one has no rows,
// so anything else that is wrong with it does not matter.
func (s *Source) judge(page []byte) error {
	var facts decode.Facts
	err := s.Decode.Each(bytes.NewReader(page), s.decodeLimits(), &facts, func(*decode.Record) error { return nil })
	if errors.Is(err, decode.ErrRefused) {
		return fmt.Errorf("%w: %w", fetch.ErrIncomplete, err)
	}
	return nil
}

// bounds are what one fetch may cost. More ends the run as failed, so half a list is never taken for all of it.
func (s *Source) bounds() fetch.Bounds {
	return fetch.Bounds{Bytes: s.Limits.Bytes, Pages: s.Limits.Pages, Time: s.Limits.Time}
}
