package ingest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"rollcall/ingest/fetch"
)

// hosts hands out turns, so that all processes together ask a host at most once in a gap. It returns how long to wait.
type hosts interface {
	HostTurn(ctx context.Context, host string, gap time.Duration) (time.Duration, error)
}

// polite asks a host only when it is its turn, whichever source, process or replica asked it before.
type polite struct {
	client fetch.Client
	hosts  hosts
	gap    time.Duration
}

// Do waits for the turn and sends the request.
func (p *polite) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	wait, err := p.hosts.HostTurn(ctx, req.URL.Host, p.gap)
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
	return p.client.Do(req)
}
