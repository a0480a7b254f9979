package auth

import (
	"context"
	"net/http"
	"time"

	"rollcall/models"
)

const (
	// doorReads is how many look-ups of cookies and links may hold a database connection at once, so that a flood of invented
	// ones leaves the others free.
	doorReads = 2
	// doorTime bounds the wait for one of those places.
	doorTime = 5 * time.Second
)

var errDoor = &models.Error{Code: models.CodeUnavailable, Message: "too many sign-ins are being checked right now; try again in a second"}

// Door looks up what browsers present instead of a key: cookies of sessions, and the tokens of invitations and of other
// links that let somebody in. Few look-ups run at once, and a client whose tokens open nothing is slowed as one without
// a valid key is. It is safe for concurrent use; a nil Door bounds and slows nothing.
type Door struct {
	flood   *Flood
	proxies Proxies
	reads   chan struct{}
}

// NewDoor returns a door that counts in flood, which it shares with Guard.
func NewDoor(flood *Flood, proxies Proxies) *Door {
	return &Door{flood: flood, proxies: proxies, reads: make(chan struct{}, doorReads)}
}

// Open runs the look-up of a token that came with r, and returns its error. It delays the answer when the token opens
// nothing, which is CodeUnauthorized or CodeNotFound. CodeUnavailable: too many look-ups are under way.
func (d *Door) Open(r *http.Request, look func(context.Context) error) error {
	if d == nil {
		return look(r.Context())
	}
	err := d.read(r.Context(), look)
	if code := models.CodeOf(err); code == models.CodeUnauthorized || code == models.CodeNotFound {
		d.flood.Wait(r.Context(), d.proxies.Client(r))
	}
	return err
}

// hold delays a try to sign in. It returns false at once when too many others are waiting already.
func (d *Door) hold(ctx context.Context, delay time.Duration) bool {
	return d == nil || d.flood.hold(ctx, delay)
}

// read runs a look-up once there is a place for it.
func (d *Door) read(ctx context.Context, look func(context.Context) error) error {
	late := time.NewTimer(doorTime)
	defer late.Stop()
	select {
	case d.reads <- struct{}{}:
		defer func() { <-d.reads }()
		return look(ctx)
	case <-late.C:
		return errDoor
	case <-ctx.Done():
		return ctx.Err()
	}
}
