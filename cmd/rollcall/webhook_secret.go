package main

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"time"

	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

// webhookSecretCmd is the secret that signs an account's webhooks. Whoever runs these commands stands in the audit.
type webhookSecretCmd struct {
	Show   secretShowCmd   `cmd:"" help:"Print the webhook secret of an account."`
	Rotate secretRotateCmd `cmd:"" help:"Replace the webhook secret of an account, in two phases."`
}

type secretShowCmd struct {
	Account string `required:"" help:"Id of the account."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run prints the secret.
func (c *secretShowCmd) Run(ctx context.Context, app *service.App) error {
	return withSecrets(ctx, app, c.Account, func(s *notifier.Secrets) error {
		got, err := s.Show(ctx, c.Account, operator())
		if err != nil {
			return err
		}
		if c.JSON {
			return app.PrintJSON(secretJSONOf(got))
		}
		if _, err := fmt.Fprintln(app.Stdout, got.Keys.Current.Reveal()); err != nil || got.RotatingSince == nil {
			return err
		}
		_, err = fmt.Fprintf(app.Stdout, "It is being replaced since %s by:\n%s\n", timeText(got.RotatingSince), got.Keys.Next.Reveal())
		return err
	})
}

type secretRotateCmd struct {
	Account string `required:"" help:"Id of the account."`
	Finish  bool   `xor:"phase" help:"End the overlap: from now on only the new secret signs."`
	Cancel  bool   `xor:"phase" help:"Forget the new secret: the old one goes on alone."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run begins, finishes or cancels a rotation.
func (c *secretRotateCmd) Run(ctx context.Context, app *service.App) error {
	return withSecrets(ctx, app, c.Account, func(s *notifier.Secrets) error {
		step, said := s.Rotate, "Both secrets sign now. The new one:\n%s\nGive it to every receiver, then: rollcall webhook secret rotate --finish --account "+c.Account+"\n"
		switch {
		case c.Finish:
			step, said = s.Finish, "Only the new secret signs now:\n%s\n"
		case c.Cancel:
			step, said = s.Cancel, "Only the old secret signs now:\n%s\n"
		}
		got, err := step(ctx, c.Account, operator())
		if err != nil {
			return err
		}
		if c.JSON {
			return app.PrintJSON(secretJSONOf(got))
		}
		shown := got.Keys.Current
		if !got.Keys.Next.IsZero() {
			shown = got.Keys.Next
		}
		_, err = fmt.Fprintf(app.Stdout, said, shown.Reveal())
		return err
	})
}

// secretJSON is a webhook secret as --json prints it; next_secret is null outside a rotation.
type secretJSON struct {
	AccountID     string     `json:"account_id"`
	Secret        string     `json:"secret"`
	NextSecret    *string    `json:"next_secret"`
	RotatingSince *time.Time `json:"rotating_since"`
}

// secretJSONOf shows a secret to programs.
func secretJSONOf(s *notifier.AccountSecret) secretJSON {
	out := secretJSON{AccountID: s.AccountID, Secret: s.Keys.Current.Reveal(), RotatingSince: inUTC(s.RotatingSince)}
	if !s.Keys.Next.IsZero() {
		next := s.Keys.Next.Reveal()
		out.NextSecret = &next
	}
	return out
}

// withSecrets opens the database for work on the webhook secret of an account, which has to be there.
func withSecrets(ctx context.Context, a *service.App, account string, work func(*notifier.Secrets) error) error {
	store, done, err := a.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if _, err := store.Account(ctx, account); err != nil {
		return err
	}
	secrets, err := a.Secrets(store)
	if err != nil {
		return err
	}
	return work(secrets)
}

// recordBy leaves a trace of a command in the trail of an account.
func recordBy(ctx context.Context, store *store.Store, account, action, subject string) error {
	return store.RecordEvent(ctx, models.AccountEvent{AccountID: account, Actor: operator(), Action: action, Subject: subject})
}

// operator is how a trail names whoever runs a command.
func operator() string {
	name := "uid " + strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return "command line, " + name
}
