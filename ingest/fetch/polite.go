package fetch

import (
	"context"
	"fmt"
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
}

// Do waits for the turn and sends the request.
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
	return p.Client.Do(req)
}
