package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Hosts hands out turns, so that all processes together ask a host at most once in a gap. It returns how long to wait.
type Hosts interface {
	// HostTurn takes a turn at a host, after the one before it by gap.
	HostTurn(ctx context.Context, host string, gap time.Duration) (time.Duration, error)
}

// Polite asks a host only when it is its turn, whichever source, process or replica asked it before.
type Polite struct {
	Client Client        // sends the requests
	Hosts  Hosts         // shared by all processes
	Gap    time.Duration // between two requests to one host
	// Most is how long one request may take from its turn to the last byte of its answer; 0: as long as Client allows.
	Most time.Duration
}

// Do waits for the turn and sends the request. An answer that takes longer than Most ends with context.DeadlineExceeded.
func (p *Polite) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	wait, err := p.Hosts.HostTurn(ctx, req.URL.Host, p.Gap)
	if err != nil {
		return nil, err
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the turn at %s: %w", req.URL.Host, ctx.Err())
		}
	}
	if p.Most == 0 {
		return p.Client.Do(req)
	}
	ctx, cancel := context.WithTimeout(ctx, p.Most)
	resp, err := p.Client.Do(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &timed{resp.Body, cancel}
	return resp, nil
}

// timed is an answer whose time runs until it is closed.
type timed struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close ends the answer and its time.
func (t *timed) Close() error {
	defer t.cancel()
	return t.ReadCloser.Close()
}
