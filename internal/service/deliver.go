package service

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"sync"

	"rollcall/ingest"
	"rollcall/models/store"
	"rollcall/notifier"
)

// deliveryConns are the database connections of the sender. They are its own, so that a long ingest
// never makes an alert wait.
const deliveryConns = 6

// Deliveries sends webhooks in a process until stopped.
type Deliveries struct {
	// Of its own, so that its connections are, too.
	store   *store.Store
	client  *notifier.Client
	sender  *notifier.Sender
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// StartDeliveries sends what is due until the deliveries are stopped.
func (a *App) StartDeliveries(ctx context.Context, url string, o JobOptions) (*Deliveries, error) {
	secret, err := a.Secret()
	if err != nil {
		return nil, err
	}
	seal, err := notifier.NewSealer(secret)
	if err != nil {
		return nil, err
	}
	roots, err := a.webhookRoots(o.Authority)
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, url, store.Options{Secret: secret, MaxConns: deliveryConns})
	if err != nil {
		return nil, err
	}
	client := notifier.NewClient(notifier.ClientOptions{Guard: notifier.NewGuard(a.WebhookAllow), Version: cmp.Or(a.Version, "dev"), Roots: roots})
	d := &Deliveries{store: store, client: client, sender: notifier.NewSender(notifier.SenderOptions{
		Store: store, Client: client, Seal: seal, Log: a.Log, Observe: o.Observe,
	})}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.cancel = cancel
	d.working.Go(func() { d.sender.Run(running) })
	return d, nil
}

// webhookRoots returns the authorities that may sign a receiver's certificate: the system's, those of
// ROLLCALL_WEBHOOK_CA_FILE, and one more if given. nil means those of the system.
func (a *App) webhookRoots(authority *x509.Certificate) (roots *x509.CertPool, err error) {
	if a.WebhookCAFile != "" {
		if roots, err = notifier.LoadRoots(a.WebhookCAFile); err != nil {
			return nil, err
		}
	}
	if authority == nil {
		return roots, nil
	}
	if roots == nil {
		if roots, err = x509.SystemCertPool(); err != nil {
			return nil, fmt.Errorf("read the system's certificate authorities: %w", err)
		}
	}
	roots.AddCert(authority)
	return roots, nil
}

// Stop takes no new delivery and waits for those that are on the wire: a delivery without a recorded outcome would be
// sent again.
func (d *Deliveries) Stop() {
	d.cancel()
	d.working.Wait()
	d.client.Close()
	d.store.Close()
}

// JobOptions are what a process adds to the jobs.
type JobOptions struct {
	Sources   map[string]*ingest.Source // documents beside the shipped ones and those in the data directory
	Observe   func(notifier.Sent)       // sees every attempt to deliver; nil: nobody
	Authority *x509.Certificate         // may sign a receiver's certificate as well; nil: none
}
