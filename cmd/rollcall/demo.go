package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"rollcall/auth"
	"rollcall/internal/demo"
	"rollcall/internal/service"
	"rollcall/models"
)

// demoCmd starts a complete service on this machine over invented people: database, sources, ingest, jobs, a
// subscriber and the pages. It needs no configuration and no network. What the demo itself does is in
// internal/demo; this file wires it to the service.
type demoCmd struct {
	// Port is ignored when ROLLCALL_ADDR is set.
	Port int `default:"8080" help:"Port of the API on this machine; 0 takes a free one. Default ${default}."`
	// Fresh starts over only in a data directory that an earlier demo made.
	Fresh bool `help:"Forget the demo's data and start over."`
	// Chaos shows that a source that misbehaves releases nobody.
	Chaos bool `help:"Let some sources misbehave: cut pages, a captcha, another layout, repeated pages, late files, errors that look well."`
	// Pace is the mean over all jails. A slow pace makes the sources be asked less often too.
	Pace time.Duration `default:"3s" help:"Mean time between two happenings in the jails. Default ${default}."`
}

// Run starts everything in this order: service, invented world, first reading of all sources, then jobs,
// subscriber and the link to sign in. Faults of --chaos begin after the first reading, so that every source has
// been well once.
func (c demoCmd) Run(ctx context.Context, a *service.App) (err error) {
	if err := c.settle(ctx, a); err != nil {
		return err
	}
	if c.Fresh {
		if err := c.forget(ctx, a); err != nil {
			return err
		}
	}
	a.Invented = true
	closeMailbox, err := a.OpenMailbox(ctx)
	if err != nil {
		return err
	}
	defer closeMailbox()
	_, _ = fmt.Fprintln(a.Stdout, "Starting the database ...")
	s, err := a.Start(ctx)
	if err != nil {
		return err
	}
	defer s.Stop()
	d, err := c.demo(a, s)
	if err != nil {
		return err
	}
	w, err := d.Begin(ctx)
	if err != nil {
		return err
	}
	defer w.Stop()
	if err := d.Read(ctx, w); err != nil {
		return err
	}
	// The faults begin after the first reading: a source that was never read has nothing to lose.
	if c.Chaos {
		if err := w.Misbehave(a.Stdout); err != nil {
			return err
		}
	}
	return c.play(ctx, a, s, d, w)
}

// play works the jobs of a demo whose world has been read once, until ctx ends. Webhooks may reach this
// machine's loopback addresses only because the demo allows it here; a real service refuses them.
func (c demoCmd) play(ctx context.Context, a *service.App, s *service.Service, d *demo.Demo, w *demo.World) error {
	key, err := d.Key(ctx)
	if err != nil {
		return err
	}
	alerts, err := d.Subscribe(ctx, w)
	if err != nil {
		return err
	}
	defer alerts.Stop()
	a.WebhookAllow = append(a.WebhookAllow, netip.MustParsePrefix("127.0.0.1/32"))
	// The jobs start after the first reading, so that the two never want the same source at once.
	j, err := a.StartJobs(ctx, s.URL, service.JobOptions{Observe: s.API.Metrics.Delivery.Observe, Authority: alerts.Authority()})
	if err != nil {
		return err
	}
	defer j.Stop()
	address, err := d.Door(ctx)
	if err != nil {
		return err
	}
	c.welcome(a, s, key, address)
	err = s.Wait(ctx)
	_, _ = fmt.Fprintln(a.Stdout, "\nStopping ...")
	return err
}

// settle fills in what the environment leaves open. A demo listens on this machine only, because its link signs
// in without a password. The chosen port is tried first, so that a port in use is reported before the database
// starts.
func (c demoCmd) settle(ctx context.Context, a *service.App) error {
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("--port takes 0 to 65535, not %d", c.Port)
	}
	if a.Unset("ROLLCALL_ADDR") {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", c.Port))
		if err != nil {
			return fmt.Errorf("port %d is taken; choose another with --port: %w", c.Port, err)
		}
		a.Addr = l.Addr().String() // port 0 is any free one
		if err := l.Close(); err != nil {
			return fmt.Errorf("try port %d: %w", c.Port, err)
		}
	}
	if a.Unset("ROLLCALL_BASE_URL") {
		_, port, _ := net.SplitHostPort(a.Addr)
		a.BaseURL = "http://localhost:" + port + "/v1"
	}
	// The default port of the metrics may be taken by a real service on this machine.
	if a.Unset("ROLLCALL_METRICS_ADDR") {
		a.MetricsAddr = "127.0.0.1:0"
	}
	return nil
}

// forget deletes the data of earlier demos. It never deletes an external database.
func (c demoCmd) forget(ctx context.Context, a *service.App) error {
	if a.DatabaseURL != "" {
		return errors.New("--fresh deletes only the embedded database: with ROLLCALL_DATABASE_URL, make a new database yourself")
	}
	return demo.Forget(ctx, a.DataDir)
}

// demo passes what the demo needs of the running service.
func (c demoCmd) demo(a *service.App, s *service.Service) (*demo.Demo, error) {
	runner, err := a.Runner(s.Store)
	if err != nil {
		return nil, err
	}
	secrets, err := a.Secrets(s.Store)
	if err != nil {
		return nil, err
	}
	return &demo.Demo{
		Store: s.Store, Runner: runner, Linker: a.Linker(s.Store), Secrets: secrets, Dir: a.DataDir, Pace: c.Pace, Out: a.Stdout, Log: a.Log,
		ForgetKey: s.API.Keys.Forget,
		// The address is that of this demo, also when other services use the database.
		SignIn: func(ctx context.Context, l *models.SignInLink, path string, life time.Duration) (string, error) {
			return a.SignInLink(ctx, s.Store, l, path, life)
		},
	}, nil
}

// welcome prints the addresses of everything, the API key, and three commands to paste.
func (c demoCmd) welcome(a *service.App, s *service.Service, key auth.Key, door string) {
	root := a.Root()
	bearer := `-H "Authorization: Bearer ` + key.Reveal() + `"`
	_, _ = fmt.Fprintf(a.Stdout, `
rollcall is serving invented people of Georgia; something happens in its jails every %s.

  Dashboard  %s
  %s
  API        %s
  GraphQL    %s/graphql
  Reference  %s/docs
  API key    %s
  Metrics    %s

Try:
  curl -s %s "%s/roster?limit=3"
  curl -s %s "%s/corrections?status=incarcerated&limit=3"
  curl -s %s -H "Content-Type: application/json" %s/graphql -d '{"query":"{ roster(limit: 3) { total records { name county { name } charges bondAmount gdcMatch { confidence reasons record { institution } } } } }"}'

Webhooks of the demo's %d watchers arrive here as soon as a jail reports what happens to them, each verified by both signatures.
Ctrl-C stops; the data stay for the next start.
`, c.Pace, door, mails(a), a.BaseURL, root, root, key.Reveal(), s.MetricsPlace(), bearer, a.BaseURL, bearer, a.BaseURL, bearer, root, demo.Watched)
}

// mails says where the mails of the demo go.
func mails(a *service.App) string {
	if a.Mailbox == nil {
		return "Mails      by the server of ROLLCALL_SMTP_URL"
	}
	return "Mailbox    " + a.Root() + "/mailbox"
}
