package service

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"sync"

	"rollcall/internal/public"
	"rollcall/models/store"
	"rollcall/notifier"
)

// deliveryConns is the number of database connections of the sender. They are separate from those of the API
// and the ingest, so that a long run never delays an alert.
const deliveryConns = 12

// Deliveries sends webhooks and mails until it is stopped. Several processes may do so: a lease on each delivery keeps
// them from sending it twice.
type Deliveries struct {
	// store is used by the sender alone, and closed with it.
	store   *store.Store
	client  *notifier.Client
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// StartDeliveries starts sending what is due. The end of ctx does not stop it: what is on the wire has to be
// recorded first, so the caller calls Stop. url is that of a migrated database.
func (a *App) StartDeliveries(ctx context.Context, url string, o JobOptions) (*Deliveries, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	seal, err := notifier.NewSealer(secrets...)
	if err != nil {
		return nil, err
	}
	roots, err := a.webhookRoots(o.Authority)
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, url, store.Options{Secret: secrets[0], OldSecrets: secrets[1:], MaxConns: deliveryConns})
	if err != nil {
		return nil, err
	}
	client := notifier.NewClient(notifier.ClientOptions{Guard: public.New(a.WebhookAllow), Version: cmp.Or(a.Version, "dev"), Roots: roots})
	senders := []notifier.SenderOptions{{Store: store, Client: client, Seal: seal, Log: a.Log, Observe: o.Observe}}
	mailer, err := a.mailer(store)
	if err != nil {
		store.Close()
		return nil, err
	}
	if mailer != nil { // a sender of its own: a mail server that hangs delays no webhook
		senders = append(senders, notifier.SenderOptions{Store: store, Mail: mailer, Log: a.Log, Observe: o.Observe})
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := &Deliveries{store: store, client: client, cancel: cancel}
	for _, options := range senders {
		d.working.Go(func() { notifier.NewSender(options).Run(running) })
	}
	return d, nil
}

// CheckFiles reports what is wrong with a file of the settings that is read long after the start. It is called before a
// database is made.
func (a *App) CheckFiles() error {
	_, err := a.webhookRoots(nil)
	return err
}

// webhookRoots returns the authorities that may sign the certificate of a receiver: the system's, those of
// ROLLCALL_WEBHOOK_CA_FILE, and authority if it is not nil. nil means the system's alone.
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

// Stop takes no new delivery and waits for those on the wire. A delivery without a recorded outcome would be
// sent again after its lease.
func (d *Deliveries) Stop() {
	d.cancel()
	d.working.Wait()
	d.client.Close()
	d.store.Close()
}

// JobOptions are what a process adds to the jobs. The zero value is right for a normal service.
type JobOptions struct {
	// Observe is called after every attempt to deliver, from several goroutines; nil if nobody counts.
	Observe func(notifier.Sent)
	// Authority may sign the certificate of a receiver as well; nil for none. The demo and the benchmarks make
	// one.
	Authority *x509.Certificate
}
