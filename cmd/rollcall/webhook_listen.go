package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"rollcall/notifier"
)

// webhookListenCmd is a receiver for a subscriber's first five minutes.
type webhookListenCmd struct {
	Account string `help:"Id of the account whose secret the database holds; without it, ROLLCALL_WEBHOOK_SECRET has the secret."`
	Addr    string `default:"127.0.0.1:8443" help:"Address to listen on; port 0 takes a free one. Default ${default}." placeholder:"HOST:PORT"`
	Plain   bool   `help:"Speak HTTP without TLS: for use behind a tunnel or proxy that ends TLS."`
	Cert    string `help:"File with a certificate chain in PEM. Without it one for this machine is made." type:"path"`
	Key     string `help:"File with the key of --cert in PEM." type:"path"`
	JSON    bool   `name:"json" help:"Print one JSON object a line."`
}

// Run receives until interrupted.
func (c *webhookListenCmd) Run(ctx context.Context, app *App) error {
	secret, err := c.secret(ctx, app)
	if err != nil {
		return err
	}
	listener, advice, err := c.listen(ctx, app)
	if err != nil {
		return err
	}
	p := &eventPrinter{to: app.Stdout, json: c.JSON}
	server := newServer(&notifier.Receiver{Secret: secret, Now: time.Now, Accept: p.accept, Refuse: func(why error) {
		_, _ = fmt.Fprintln(app.Stderr, "refused a request:", why)
	}}, app.Log)
	ended := make(chan error, 1)
	go func() { ended <- serveUntilClosed(server, listener) }()
	if _, err := fmt.Fprint(app.Stderr, advice); err != nil {
		return errors.Join(err, server.Close(), <-ended)
	}
	select {
	case err := <-ended:
		return fmt.Errorf("receive webhooks: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), notifier.AttemptTimeout)
	defer cancel()
	return errors.Join(server.Shutdown(drain), <-ended)
}

// secret is never an argument: every user of the machine can read those.
func (c *webhookListenCmd) secret(ctx context.Context, app *App) (secret notifier.Secret, err error) {
	if c.Account != "" {
		err = app.withSecrets(ctx, c.Account, func(s *notifier.Secrets) error {
			got, err := s.Show(ctx, c.Account, operator())
			if err == nil {
				secret = got.Keys.Current
			}
			return err
		})
		return secret, err
	}
	if app.WebhookSecret == "" {
		return secret, errors.New("set ROLLCALL_WEBHOOK_SECRET to the webhook secret (whsec_...) of the account settings, or give --account beside the database")
	}
	if secret, err = notifier.ParseSecret(app.WebhookSecret); err != nil {
		return secret, fmt.Errorf("ROLLCALL_WEBHOOK_SECRET: %w", err)
	}
	return secret, nil
}

// listen opens the receiver's port and says what to do next.
func (c *webhookListenCmd) listen(ctx context.Context, app *App) (l net.Listener, advice string, err error) {
	if (c.Cert == "") != (c.Key == "") || (c.Plain && c.Cert != "") {
		return nil, "", errors.New("--cert and --key go together, and not with --plain")
	}
	if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr); err != nil {
		return nil, "", fmt.Errorf("listen for webhooks: %w", err)
	}
	at := l.Addr().String()
	if c.Plain {
		return l, fmt.Sprintf("Receiving at http://%s/. Register the https address that leads here. Ctrl-C stops.\n", at), nil
	}
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
		if err != nil {
			return nil, "", errors.Join(fmt.Errorf("read --cert and --key: %w", err), l.Close())
		}
		return tls.NewListener(l, (&localCert{leaf: pair}).server()),
			fmt.Sprintf("Receiving at https://%s/. Ctrl-C stops.\n", at), nil
	}
	host, _, _ := net.SplitHostPort(c.Addr)
	cert, err := newLocalCert(time.Now(), host)
	if err != nil {
		return nil, "", errors.Join(err, l.Close())
	}
	file := filepath.Join(app.DataDir, "webhook-listen-ca.pem")
	if err := writeFile(file, cert.pem()); err != nil {
		return nil, "", errors.Join(err, l.Close())
	}
	return tls.NewListener(l, cert.server()), fmt.Sprintf(`Receiving at https://%s/ with a certificate made just now. A rollcall on this machine delivers here when started with
  ROLLCALL_WEBHOOK_ALLOW=127.0.0.1 ROLLCALL_WEBHOOK_CA_FILE=%s
From elsewhere, run with --plain behind a tunnel that gives you a public https address. Ctrl-C stops.
`, at, file), nil
}

// writeFile writes a file that holds no secret, with its directory.
func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // the data directory; what is private in it has a mode of its own
		return fmt.Errorf("make %s: %w", filepath.Dir(path), err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil { //nolint:gosec // see above
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// eventPrinter prints verified events, one a line.
type eventPrinter struct {
	to   io.Writer
	json bool
	mu   sync.Mutex
}

// accept prints one event. What cannot be printed is not lost: it was received.
func (p *eventPrinter) accept(e notifier.Received) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.json {
		_ = json.NewEncoder(p.to).Encode(struct {
			ReceivedAt time.Time       `json:"received_at"`
			WebhookID  string          `json:"webhook_id"`
			Event      notifier.Kind   `json:"event"`
			AlertID    string          `json:"alert_id"`
			RecordID   string          `json:"record_id"`
			Test       bool            `json:"test"`
			Repeated   bool            `json:"repeated"`
			Body       json.RawMessage `json:"body"`
		}{e.At.UTC(), e.ID, e.Event, e.AlertID, e.RecordID, e.Test, e.Repeated, e.Body})
		return
	}
	_, _ = fmt.Fprintln(p.to, eventLine(e))
}

// eventLine is an event for people: when, what, who, where, which record and watcher, and its id.
func eventLine(e notifier.Received) string {
	var body struct {
		Record struct {
			Name   string       `json:"name"`
			County string       `json:"county"`
			Bond   *json.Number `json:"bond_amount"`
		} `json:"record"`
	}
	_ = json.Unmarshal(e.Body, &body) // the receiver has read it before
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %-11s  %s, %s County  record %s  alert %s  %s", e.At.Local().Format(time.TimeOnly), e.Event,
		printable(cmp.Or(body.Record.Name, "-")), printable(cmp.Or(body.Record.County, "-")), printable(e.RecordID), printable(e.AlertID), e.ID)
	if bond := body.Record.Bond; bond != nil {
		fmt.Fprintf(&b, "  bond $%s", bond)
	}
	if e.Test {
		b.WriteString("  (test)")
	}
	if e.Repeated {
		b.WriteString("  (again)")
	}
	return b.String()
}

// printable keeps what a sender wrote from steering the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return '?'
		}
		return r
	}, s)
}
