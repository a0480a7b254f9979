package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"rollcall/internal/receiver"
	"rollcall/internal/service"
	"rollcall/notifier"
)

// webhookListenCmd is a receiver for the first minutes of a subscriber: it verifies both signatures of each
// delivery and prints the event.
type webhookListenCmd struct {
	// Account needs access to the database and to the secret key of the service. A subscriber has neither and
	// sets ROLLCALL_WEBHOOK_SECRET instead.
	Account string `help:"Id of the account whose secret the database holds; without it, ROLLCALL_WEBHOOK_SECRET has the secret."`
	Addr    string `default:"127.0.0.1:8443" help:"Address to listen on; port 0 takes a free one. Default ${default}." placeholder:"HOST:PORT"`
	// Plain is for a tunnel that ends TLS: rollcall delivers to https addresses only.
	Plain bool   `help:"Speak HTTP without TLS: for use behind a tunnel or proxy that ends TLS."`
	Cert  string `help:"File with a certificate chain in PEM. Without it one for this machine is made." type:"path"`
	Key   string `help:"File with the key of --cert in PEM." type:"path"`
	JSON  bool   `name:"json" help:"Print one JSON object a line."`
}

// Run receives until interrupted. It then waits as long as one attempt may take, so that a delivery on the wire
// is answered and not sent again.
func (c *webhookListenCmd) Run(ctx context.Context, app *service.App) error {
	secret, err := c.secret(ctx, app)
	if err != nil {
		return err
	}
	listener, advice, err := c.listen(ctx, app)
	if err != nil {
		return err
	}
	p := &receiver.Printer{To: app.Stdout, JSON: c.JSON}
	server := receiver.Start(listener, &notifier.Receiver{Secret: secret, Now: time.Now, Accept: p.Print, Refuse: func(why error) {
		_, _ = fmt.Fprintln(app.Stderr, "refused a request:", why)
	}}, app.Log)
	if _, err := fmt.Fprint(app.Stderr, advice); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-server.Failed():
		return fmt.Errorf("receive webhooks: %w", err)
	case <-ctx.Done():
	}
	// ctx has ended here, so draining needs a deadline of its own.
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), notifier.AttemptTimeout)
	defer cancel()
	return server.Stop(drain)
}

// secret returns the secret to verify with. It is never an argument of the command: every user of the machine
// can read those. Reading it for an account is recorded in that account's audit trail.
func (c *webhookListenCmd) secret(ctx context.Context, app *service.App) (secret notifier.Secret, err error) {
	if c.Account != "" {
		err = withSecrets(ctx, app, c.Account, func(s *notifier.Secrets) error {
			got, err := s.Show(ctx, c.Account, service.Operator())
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

// listen opens the port of the receiver and returns the advice to print. Webhooks need HTTPS with a certificate
// that the sender trusts. Without --cert it makes a certificate for this machine and writes its authority to a
// file that a local rollcall can be started with.
func (c *webhookListenCmd) listen(ctx context.Context, app *service.App) (l net.Listener, advice string, err error) {
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
		cert, err := receiver.ReadCertificate(c.Cert, c.Key)
		if err != nil {
			return nil, "", errors.Join(fmt.Errorf("read --cert and --key: %w", err), l.Close())
		}
		return tls.NewListener(l, cert.Server()),
			fmt.Sprintf("Receiving at https://%s/. Ctrl-C stops.\n", at), nil
	}
	// The certificate names the host of --addr too, so that other machines of a test network can deliver here.
	host, _, _ := net.SplitHostPort(c.Addr)
	cert, err := receiver.NewCertificate(time.Now(), host)
	if err != nil {
		return nil, "", errors.Join(err, l.Close())
	}
	file := filepath.Join(app.DataDir, "webhook-listen-ca.pem")
	if err := writeFile(file, cert.PEM()); err != nil {
		return nil, "", errors.Join(err, l.Close())
	}
	return tls.NewListener(l, cert.Server()),
		fmt.Sprintf(`Receiving at https://%s/ with a certificate made just now. A rollcall on this machine delivers here when started with
  ROLLCALL_WEBHOOK_ALLOW=127.0.0.1 ROLLCALL_WEBHOOK_CA_FILE=%s
From elsewhere, run with --plain behind a tunnel that has a public https address. Ctrl-C stops.
`, at, file), nil
}

// writeFile writes a file that holds no secret, and makes its directory.
func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // the data directory; what is private in it has a mode of its own
		return fmt.Errorf("make %s: %w", filepath.Dir(path), err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil { //nolint:gosec // see above
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
