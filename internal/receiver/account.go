package receiver

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"rollcall/notifier"
)

// Account verifies with the secret that an account has at the moment, as a receiver does whose owner replaces it in time:
// deliveries go on while the secret is rotated.
type Account struct {
	Secrets *notifier.Secrets
	ID      string                  // of the account
	Accept  func(notifier.Received) // takes what was verified

	mu       sync.Mutex         // guards what follows
	stored   []byte             // the secret that receiver verifies with, encrypted
	receiver *notifier.Receiver // remembers what came, until the secret changes
}

// ServeHTTP receives one delivery.
func (a *Account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	receiver, err := a.now(r.Context())
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	receiver.ServeHTTP(w, r)
}

// now is the receiver for the account's secret of this moment.
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
