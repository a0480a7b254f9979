package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"rollcall/models"
	"rollcall/models/store"
)

const (
	// keyAge is how long a look-up of a key is believed. A key that another process revoked must be refused within a
	// second; half of it is left for clocks that do not quite agree.
	keyAge = 500 * time.Millisecond
	// mostKeys bounds each half of the cache. A flood of different invalid keys pushes out its own entries: valid keys
	// move to the young half as they are used.
	mostKeys = 10_000
	// keyReads is how many look-ups may hold a database connection at once, so that such a flood leaves the others
	// free.
	keyReads = 2
	// keyReadTime bounds one look-up, with its wait for a slot.
	keyReadTime = 5 * time.Second
)

var (
	errUnknownKey = &models.Error{
		Code:    models.CodeUnauthorized,
		Message: "this API key does not exist, was revoked or has expired; create a new one in the account settings",
	}
	// errNotRead is an internal error: the caller answers 503, never 401, as the key may well be valid.
	errNotRead = errors.New("look up key: database timed out")
)

// Keyring finds the caller that a key belongs to. It remembers keys, invalid ones too, for half a second. However
// many requests present a key at the same time, it is read once. It is safe for concurrent use.
type Keyring struct {
	store *store.Store
	now   func() time.Time
	// Slots for look-ups in the database at the same time.
	reads chan struct{}

	mu sync.Mutex
	// Look-ups by the key's SHA-256, those of unknown keys included, so that repeating a wrong key costs no
	// statement.
	known recent[[sha256.Size]byte, *keyEntry]
}

// keyEntry is one look-up. Its result may be read once done is closed, and does not change afterwards.
type keyEntry struct {
	// Time before the read began. The age counts from here: a later revocation cannot have been seen.
	began time.Time
	// Closed when the fields below are set.
	done chan struct{}
	// Nil: the key does not exist, or could not be read.
	key *models.APIKey
	// The caller of key, while it is usable.
	caller *Caller
	err    error
}

// NewKeyring returns an empty keyring on the keys of store.
func NewKeyring(store *store.Store, now func() time.Time) *Keyring {
	return &Keyring{
		store: store, now: now, reads: make(chan struct{}, keyReads),
		known: recent[[sha256.Size]byte, *keyEntry]{period: keyAge, most: mostKeys},
	}
}

// Lookup returns the caller of a key. The error is a *models.Error with CodeUnauthorized when the key is unknown,
// revoked or expired. Any other error means that the database could not answer, which callers answer 503.
func (k *Keyring) Lookup(ctx context.Context, key Key) (*Caller, error) {
	return k.lookup(ctx, key.SHA256())
}

// lookup returns the caller of a key by its hash. Requests that come while a look-up is under way wait for it.
func (k *Keyring) lookup(ctx context.Context, sha [sha256.Size]byte) (*Caller, error) {
	now := k.now()
	e, mine := k.entry(sha, now)
	if mine {
		k.read(ctx, sha, e)
	}
	if !e.ready() {
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("look up key: %w", ctx.Err())
		}
	}
	switch {
	case e.err != nil:
		return nil, e.err
	case !e.key.Usable(now):
		return nil, errUnknownKey
	}
	return e.caller, nil
}

// Forget makes the next request with that key read it again. Code that revokes a key in this process calls it
// afterwards. From then on no request is answered by what was known before, so revoking takes effect at once.
func (k *Keyring) Forget(keyID string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known.drop(func(_ [sha256.Size]byte, e *keyEntry) bool {
		// A look-up that is under way may have read the key before it was revoked: new requests must not join it.
		return !e.ready() || e.key != nil && e.key.ID == keyID
	})
}

// entry returns the look-up for a hash. mine reports that it is new, so that the caller has to read it.
func (k *Keyring) entry(sha [sha256.Size]byte, now time.Time) (e *keyEntry, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	// The age counts from before the read began: a later revocation cannot have been seen.
	if e, found := k.known.get(sha, now); found && now.Sub(e.began) < keyAge {
		return e, false
	}
	e = &keyEntry{began: now, done: make(chan struct{}), err: errNotRead}
	k.known.put(sha, e, now)
	return e, true
}

// read fills e. Others may wait for it, so the end of the request that began it does not cancel it.
func (k *Keyring) read(ctx context.Context, sha [sha256.Size]byte, e *keyEntry) {
	defer close(e.done)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keyReadTime)
	defer cancel()
	select {
	case k.reads <- struct{}{}:
		defer func() { <-k.reads }()
	case <-ctx.Done():
		k.discard(e)
		return
	}
	key, account, err := k.store.KeyByHash(ctx, sha[:])
	switch {
	case err == nil:
		e.key, e.err = key, nil
		e.caller = &Caller{Account: account, KeyID: key.ID, Scopes: key.Scopes, Test: isTest(key.Prefix), key: sha}
	case models.CodeOf(err) == models.CodeNotFound:
		e.err = errUnknownKey
	default:
		e.err = fmt.Errorf("look up key: %w", err)
		k.discard(e)
	}
}

// discard forgets a look-up that failed, so that the next request tries again.
func (k *Keyring) discard(failed *keyEntry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known.drop(func(_ [sha256.Size]byte, e *keyEntry) bool { return e == failed })
}

// ready reports whether the look-up has ended.
func (e *keyEntry) ready() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}
