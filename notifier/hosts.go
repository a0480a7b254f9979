package notifier

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
)

// hosts bounds the attempts under way to one host and port, whichever accounts registered it. A thousand
// endpoints must not turn this service into a flood on one machine. Waiting here is before the clock of an
// attempt starts. It is safe for concurrent use.
type hosts struct {
	most int

	mu   sync.Mutex
	open map[string]*host
}

// host is one host and port with attempts under way or waiting.
type host struct {
	// Holds one element for each attempt under way.
	places chan struct{}
	// Attempts that hold or wait for a place.
	users int
}

// newHosts returns hosts with most places each.
func newHosts(most int) *hosts { return &hosts{most: most, open: map[string]*host{}} }

// enter waits for a place. leave must be called once. The only error is an ended ctx.
func (h *hosts) enter(ctx context.Context, name string) (leave func(), err error) {
	h.mu.Lock()
	at, ok := h.open[name]
	if !ok {
		at = &host{places: make(chan struct{}, h.most)}
		h.open[name] = at
	}
	at.users++
	h.mu.Unlock()
	select {
	case at.places <- struct{}{}:
		return func() { <-at.places; h.forget(name, at) }, nil
	case <-ctx.Done():
		h.forget(name, at)
		return nil, context.Cause(ctx)
	}
}

// forget frees a host that nobody uses any more.
func (h *hosts) forget(name string, at *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at.users--; at.users == 0 {
		delete(h.open, name)
	}
}

// dialled returns the host and port that an address leads to. Its error never repeats the address, which may
// hold a token.
func dialled(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("the address does not parse") // not err: it repeats the address, which may hold a token
	}
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}
