package demo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net"
	"slices"
	"time"

	"rollcall/internal/receiver"
	"rollcall/internal/simulator"
	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/notifier"
)

const (
	// foresees is how far ahead the demo looks for people to watch.
	foresees = 2 * time.Hour
	// Watched is how many people the demo watches, at most.
	Watched = 40
)

// Alerts is the demo's subscriber: a receiver on this machine, over TLS, that prints what it has verified. It
// has an endpoint and watchers in the demo's account.
type Alerts struct {
	authority *x509.Certificate
	server    *receiver.Server
	log       *slog.Logger
}

// Subscribe registers a receiver for the account and watches people to whom something will happen soon. The
// future of an invented world is known, so the first webhook comes within seconds. The caller must stop the
// alerts.
func (d *Demo) Subscribe(ctx context.Context, w *World) (*Alerts, error) {
	account, err := d.Store.AccountByEmail(ctx, Email)
	if err != nil {
		return nil, err
	}
	cert, err := receiver.NewCertificate(time.Now())
	if err != nil {
		return nil, err
	}
	plain, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the demo's webhooks: %w", err)
	}
	// The address is known before anybody listens on it. Deliveries that come too early are tried again.
	if err := d.register(ctx, account.ID, "https://"+plain.Addr().String()+"/demo"); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	if err := d.watchSoon(ctx, account.ID, w.foresee(foresees)); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	if err := d.mail(ctx, account.ID); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	p := &receiver.Printer{To: d.Out}
	handler := &receiver.Account{Secrets: d.Secrets, ID: account.ID, Accept: p.Print}
	server := receiver.Start(tls.NewListener(plain, cert.Server()), handler, d.Log)
	return &Alerts{authority: cert.Authority(), server: server, log: d.Log}, nil
}

// Authority returns the certificate that signed the receiver's. The sender has to trust it.
func (s *Alerts) Authority() *x509.Certificate { return s.authority }

// register registers the receiver at url in place of that of the start before, whose port nobody listens on.
func (d *Demo) register(ctx context.Context, account, url string) error {
	old, err := d.Store.Webhooks(ctx, account, models.Page{Limit: 100})
	if err != nil {
		return err
	}
	for _, h := range old.Webhooks {
		if isReceiver(h.URL) {
			if err := d.Store.DeleteWebhook(ctx, account, h.ID); err != nil {
				return err
			}
		}
	}
	_, err = d.Store.CreateWebhook(ctx, account, &models.NewWebhook{URL: url, Events: models.EventKinds()}, d.Secrets.Seal.Seal(notifier.NewSecret(), account))
	return err
}

// advocate is who gets the demo's mails. No mail server anywhere takes the address, so that nobody is sent anything if
// the demo's data are served with a real one.
const advocate = "advocate@rollcall.invalid"

// mail has the account's alerts sent to advocate as well, one mail an event.
func (d *Demo) mail(ctx context.Context, account string) error {
	all, err := d.Store.Emails(ctx, account)
	if err != nil || slices.ContainsFunc(all, func(h *models.Webhook) bool { return h.Address() == advocate }) {
		return err
	}
	h, err := d.Store.CreateEmail(ctx, account, &delivery.NewEmail{Address: advocate, Events: models.EventKinds(), Digest: models.DigestNone})
	if err != nil {
		return err
	}
	_, err = d.Store.ConfirmEmail(ctx, h.ID, h.URL, h.CreatedAt)
	return err
}

// isReceiver reports whether an endpoint is that of a demo. Endpoints that a visitor made stay.
func isReceiver(url string) bool {
	var port int
	n, err := fmt.Sscanf(url, "https://127.0.0.1:%d/demo", &port)
	return err == nil && n == 1
}

// watchSoon replaces the watchers of the start before. The first are for the next happenings, so that there is
// something to see at once, the others for ever fewer. Watchers that a visitor made stay.
func (d *Demo) watchSoon(ctx context.Context, account string, coming iter.Seq[simulator.Activity]) error {
	old, err := d.Store.Watchers(ctx, account, models.Page{Limit: 200})
	if err != nil {
		return err
	}
	for _, w := range old.Watchers {
		if w.Label != nil && *w.Label == label {
			if err := d.Store.DeleteWatcher(ctx, account, w.ID); err != nil {
				return err
			}
		}
	}
	// A watcher needs a level and events too; the defaults are those that a customer gets.
	mark := label
	for _, name := range some(coming) {
		if _, err := d.Store.CreateWatcher(ctx, account, &models.NewWatcher{Name: name, Label: &mark}); err != nil {
			return err
		}
	}
	return nil
}

// some picks the names of people to watch: the first few, then the next after each pause. The pauses grow from
// a few seconds to a few minutes. coming is in the order of time.
func some(coming iter.Seq[simulator.Activity]) []string {
	const atOnce, shortest, longest = 4, 5 * time.Second, 3 * time.Minute
	var names []string
	var first, due time.Time
	for act := range coming {
		if len(names) == 0 {
			first = act.At
		}
		name := act.Name.FirstLast()
		// One person may come and go several times; one watcher is enough.
		if act.At.Before(due) || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); len(names) == Watched {
			break
		}
		if len(names) >= atOnce {
			due = act.At.Add(min(longest, max(shortest, act.At.Sub(first)/4)))
		}
	}
	return names
}

// Stop ends the receiver once the deliveries on the wire have arrived.
func (s *Alerts) Stop() {
	ctx, cancel := context.WithTimeout(context.Background(), notifier.AttemptTimeout)
	defer cancel()
	if err := s.server.Stop(ctx); err != nil {
		s.log.WarnContext(ctx, "the demo's receiver not stopped cleanly", "error", err)
	}
}
