package main

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"rollcall/notifier"
)

// demoReceiver verifies with the secret that the account has at the moment, as a receiver does whose owner replaces it in
// time: who tries a rotation in the demo sees deliveries go on.
type demoReceiver struct {
	secrets *notifier.Secrets
	account string
	accept  func(notifier.Received)

	mu       sync.Mutex         // guards what follows
	sealed   []byte             // the secret that receiver verifies with, as it is stored
	receiver *notifier.Receiver // remembers what came, until the secret changes
}

// ServeHTTP takes one delivery.
func (d *demoReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	receiver, err := d.now(r.Context())
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	receiver.ServeHTTP(w, r)
}

// now gives the receiver for the account's secret of this moment.
func (d *demoReceiver) now(ctx context.Context) (*notifier.Receiver, error) {
	stored, err := d.secrets.Store.WebhookSecret(ctx, d.account)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.receiver != nil && bytes.Equal(stored.Current, d.sealed) {
		return d.receiver, nil
	}
	secret, err := d.secrets.Seal.Open(stored.Current, d.account)
	if err != nil {
		return nil, err
	}
	d.sealed, d.receiver = stored.Current, &notifier.Receiver{Secret: secret, Now: time.Now, Accept: d.accept}
	return d.receiver, nil
}
