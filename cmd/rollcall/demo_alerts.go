package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"rollcall/internal/simulator"
	"rollcall/models"
	"rollcall/notifier"
)

const (
	demoForesees = 2 * time.Hour // how far ahead the demo looks for people to watch
	demoWatched  = 40
)

// demoAlerts is the demo's subscriber: a receiver on this machine, over TLS, that prints what it has
// verified, with a registration and watchers of the demo's account.
type demoAlerts struct {
	listener  net.Listener
	authority *x509.Certificate
	server    *http.Server
	ended     chan error
}

// startAlerts registers a receiver for the account and watches people to whom something will happen
// soon: the world is invented, so it can tell.
func (c demoCmd) startAlerts(ctx context.Context, a *App, s *service, w *world) (*demoAlerts, error) {
	account, err := s.store.AccountByEmail(ctx, demoEmail)
	if err != nil {
		return nil, err
	}
	cert, err := newLocalCert(time.Now())
	if err != nil {
		return nil, err
	}
	plain, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the demo's webhooks: %w", err)
	}
	d := &demoAlerts{listener: tls.NewListener(plain, cert.server()), authority: cert.authority, ended: make(chan error, 1)}
	a.WebhookAllow = append(a.WebhookAllow, netip.MustParsePrefix("127.0.0.1/32"))
	secrets, err := d.subscribe(ctx, a, s.store, account.ID)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	if err := watchSoon(ctx, s.store, account.ID, w.foresee(demoForesees)); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	p := &eventPrinter{to: a.Stdout}
	d.server = newServer(&demoReceiver{secrets: secrets, account: account.ID, accept: p.accept}, a.Log)
	go func() { d.ended <- serveUntilClosed(d.server, d.listener) }()
	return d, nil
}

func (d *demoAlerts) url() string { return "https://" + d.listener.Addr().String() + "/demo" }

// subscribe registers the receiver in place of the one of the start before, and gives what knows its secret.
func (d *demoAlerts) subscribe(ctx context.Context, a *App, store *models.Store, account string) (*notifier.Secrets, error) {
	old, err := store.Webhooks(ctx, account, models.Page{Limit: 100})
	if err != nil {
		return nil, err
	}
	for _, h := range old.Webhooks {
		if isDemoReceiver(h.URL) {
			if err := store.DeleteWebhook(ctx, account, h.ID); err != nil {
				return nil, err
			}
		}
	}
	secrets, err := a.secrets(store)
	if err != nil {
		return nil, err
	}
	_, err = store.CreateWebhook(ctx, account, &models.NewWebhook{URL: d.url(), Events: models.EventKinds()}, secrets.Seal.Seal(notifier.NewSecret(), account))
	return secrets, err
}

func isDemoReceiver(url string) bool {
	var port int
	n, err := fmt.Sscanf(url, "https://127.0.0.1:%d/demo", &port)
	return err == nil && n == 1
}

// watchSoon makes watchers for some of those to whom something will happen, in place of those of the start
// before: the next ones first, so that there is something to see at once, then ever fewer.
func watchSoon(ctx context.Context, store *models.Store, account string, coming iter.Seq[simulator.Activity]) error {
	old, err := store.Watchers(ctx, account, models.Page{Limit: 200})
	if err != nil {
		return err
	}
	for _, w := range old.Watchers {
		if w.Label != nil && *w.Label == demoLabel {
			if err := store.DeleteWatcher(ctx, account, w.ID); err != nil {
				return err
			}
		}
	}
	label := demoLabel
	for _, name := range some(coming) {
		if _, err := store.CreateWatcher(ctx, account, &models.NewWatcher{Name: name, Label: &label}); err != nil {
			return err
		}
	}
	return nil
}

// some picks the names of demoWatched people: the first few, then the next after each pause, which grows from a
// few seconds to a few minutes.
func some(coming iter.Seq[simulator.Activity]) []string {
	const atOnce, shortest, longest = 4, 5 * time.Second, 3 * time.Minute
	var names []string
	var first, due time.Time
	for act := range coming {
		if len(names) == 0 {
			first = act.At
		}
		name := act.Name.FirstLast()
		if act.At.Before(due) || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); len(names) == demoWatched {
			break
		}
		if len(names) >= atOnce {
			due = act.At.Add(min(longest, max(shortest, act.At.Sub(first)/4)))
		}
	}
	return names
}

// stop ends the receiver once what is on the wire has arrived.
func (d *demoAlerts) stop(a *App) {
	ctx, cancel := context.WithTimeout(context.Background(), notifier.AttemptTimeout)
	defer cancel()
	if err := errors.Join(d.server.Shutdown(ctx), <-d.ended); err != nil {
		a.Log.WarnContext(ctx, "the demo's receiver not stopped cleanly", "error", err)
	}
}
