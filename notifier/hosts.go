package notifier

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
)

// hosts bounds the attempts under way to one host and port, whoever registered it: a thousand registrations must not turn
// this service into a flood on one machine. Waiting here is before the clock of an attempt starts.
type hosts struct {
	most int

	mu   sync.Mutex
	open map[string]*host
}

// host is one with attempts under way or waiting.
type host struct {
	places chan struct{} // holds one element an attempt under way
	users  int           // attempts that hold or wait for a place
}

func newHosts(most int) *hosts { return &hosts{most: most, open: map[string]*host{}} }

// enter waits for a place. leave must be called once. Only an ended ctx makes an error.
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

func (h *hosts) forget(name string, at *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at.users--; at.users == 0 {
		delete(h.open, name)
	}
}

// dialled is the host and port that an address leads to.
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
