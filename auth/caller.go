package auth

import (
	"context"
	"crypto/sha256"

	"rollcall/models"
)

// Caller is who makes a request. It is shared by requests and never changed.
type Caller struct {
	Account *models.Account // as it was at most a second ago
	KeyID   string          // the API key that was presented; empty for a page
	UserID  string          // the user whose page asks; empty for a key

	key [sha256.Size]byte // what is stored of it, to look it up again
}

// bucket is where the caller's requests are counted: per account, so that separate keys do not multiply the limit; those
// of pages per user, so that looking does not use up what programs need.
func (c *Caller) bucket() Bucket {
	if c.UserID != "" {
		return Bucket{ID: "page " + c.UserID, Limit: pageLimit}
	}
	return bucketOf(c.Account)
}

// bucketOf returns what a call of an account counts in: all its keys and pages share one limit.
func bucketOf(a *models.Account) Bucket { return Bucket{ID: a.ID, Limit: a.RateLimit} }

type callerKey struct{}

// WithCaller gives a context that carries c.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext gives the caller of a request, and false when there is none.
func FromContext(ctx context.Context) (*Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	return c, ok
}
