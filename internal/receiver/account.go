package receiver

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"rollcall/notifier"
)

// Account is a handler that verifies with the secret that an account has at the moment. Deliveries therefore go
// on while the secret is rotated. It reads the encrypted secret with each request. A receiver without access to
// the database uses notifier.Receiver, which has one secret.
type Account struct {
	// Secrets reads and decrypts the account's secret.
	Secrets *notifier.Secrets
	// ID is the account's.
	ID string
	// Accept is called with each delivery that was verified, also with a repeated one.
	Accept func(notifier.Received)

	// mu guards what follows.
	mu sync.Mutex
	// stored is the secret that receiver verifies with, encrypted.
	stored []byte
	// receiver remembers what came, until the secret changes.
	receiver *notifier.Receiver
}

// ServeHTTP receives one delivery. It answers 503 when the secret cannot be read, so that the delivery is tried
// again.
func (a *Account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	receiver, err := a.now(r.Context())
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	receiver.ServeHTTP(w, r)
}

// now returns the receiver for the account's secret of this moment. It is made anew when the secret has
// changed.
func (a *Account) now(ctx context.Context) (*notifier.Receiver, error) {
	stored, err := a.Secrets.Store.WebhookSecret(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.receiver != nil && bytes.Equal(stored.Current, a.stored) {
		return a.receiver, nil
	}
	secret, err := a.Secrets.Seal.Open(stored.Current, a.ID)
	if err != nil {
		return nil, err
	}
	a.stored, a.receiver = stored.Current, &notifier.Receiver{Secret: secret, Now: time.Now, Accept: a.Accept}
	return a.receiver, nil
}
