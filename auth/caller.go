package auth

import (
	"context"
	"crypto/sha256"
	"slices"

	"rollcall/models"
)

// Caller is the account, and the key or user, that makes a request. Requests share it, so it is never changed.
type Caller struct {
	// Account is as it was at most a second ago: look-ups of keys are cached (Keyring).
	Account *models.Account
	// KeyID is the id of the API key that was presented; empty for a page.
	KeyID string
	// Scopes are those of the key; nil for a page, which may do everything.
	Scopes []models.Scope
	// Test reports that the key opens invented records only.
	Test bool
	// UserID is the user whose session asks; empty for a key.
	UserID string
	// Page reports that a page of this service asks for that user. Without it a session counts as a key of its account does.
	Page bool

	// SHA-256 of the key, to look it up again (Standing).
	key [sha256.Size]byte
}

// May reports whether the caller has at least one of the scopes. A page has all of them, unless it tries what a key may do
// (AuthenticatePage).
func (c *Caller) May(scopes ...models.Scope) bool {
	return c.KeyID == "" && c.Scopes == nil || slices.ContainsFunc(scopes, func(s models.Scope) bool { return slices.Contains(c.Scopes, s) })
}

// buckets returns what the caller's requests count in. All keys of an account share one, so that separate keys do not
// multiply the limit, and programs that use a session share it too. Pages count by user and for all users of an account
// together, so that reading pages does not use up what programs need.
func (c *Caller) buckets() []Bucket {
	if c.Page {
		return []Bucket{{ID: "page " + c.UserID, Limit: pageLimit}, {ID: "pages " + c.Account.ID, Limit: pagesLimit}}
	}
	return []Bucket{bucketOf(c.Account)}
}

// take asks for n calls of a caller in each of its buckets, and returns the tightest answer. The user's own is asked
// first: what it refuses takes nothing from the account's other users.
func take(ctx context.Context, l Limiter, c *Caller, n int) (Allowance, error) {
	var tightest Allowance
	for i, b := range c.buckets() {
		a, err := l.Take(ctx, b, n)
		if err != nil {
			return Allowance{}, err
		}
		if i == 0 || !a.OK || a.Remaining < tightest.Remaining {
			tightest = a
		}
		if !a.OK {
			break
		}
	}
	return tightest, nil
}

// bucketOf returns the bucket of an account's API requests.
func bucketOf(a *models.Account) Bucket { return Bucket{ID: a.ID, Limit: a.RateLimit} }

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext returns the caller of a request; false means that no middleware has authenticated it.
func FromContext(ctx context.Context) (*Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	return c, ok
}
