package main

import (
	"context"
	"fmt"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/notifier"
)

// webhookSecretCmd groups the commands about the secret that signs the webhooks of an account. An account has
// one secret for all its endpoints, made with the first of them. It is stored encrypted, so it can be shown
// again (DECISIONS.md, Webhooks). Each use of these commands is recorded in the audit trail.
type webhookSecretCmd struct {
	Show   secretShowCmd   `cmd:"" help:"Print the webhook secret of an account."`
	Rotate secretRotateCmd `cmd:"" help:"Replace the webhook secret of an account, in two phases."`
}

// secretShowCmd prints the secret of an account.
type secretShowCmd struct {
	Account string `required:"" help:"Id of the account."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run prints the secret, and during a rotation the new one too. An account without endpoints has none, which is
// a not-found error.
func (c *secretShowCmd) Run(ctx context.Context, app *service.App) error {
	return withSecrets(ctx, app, c.Account, func(s *notifier.Secrets) error {
		got, err := s.Show(ctx, c.Account, service.Operator())
		if err != nil {
			return err
		}
		if c.JSON {
			return app.PrintJSON(secretJSONOf(got))
		}
		if _, err := fmt.Fprintln(app.Stdout, got.Keys.Current.Reveal()); err != nil || got.RotatingSince == nil {
			return err
		}
		_, err = fmt.Fprintf(app.Stdout, "It is being replaced since %s by:\n%s\n", cell.Time(got.RotatingSince), got.Keys.Next.Reveal())
		return err
	})
}

// secretRotateCmd replaces the secret in two phases, so that no delivery is refused meanwhile: during the
// overlap both secrets sign, and receivers are changed one by one. Without a flag it begins the overlap.
type secretRotateCmd struct {
	Account string `required:"" help:"Id of the account."`
	// Finish is for the time when every receiver has the new secret: those that do not will refuse deliveries.
	Finish bool `xor:"phase" help:"End the overlap: from now on only the new secret signs."`
	// Cancel is for a rotation that was begun by mistake.
	Cancel bool `xor:"phase" help:"Forget the new secret: the old one goes on alone."`
	JSON   bool `name:"json" help:"Print JSON."`
}

// Run begins, finishes or cancels a rotation and prints the secret that receivers need from now on. A step that
// does not fit, such as finishing what was not begun, is a conflict.
func (c *secretRotateCmd) Run(ctx context.Context, app *service.App) error {
	return withSecrets(ctx, app, c.Account, func(s *notifier.Secrets) error {
		step, said := s.Rotate,
			"Both secrets sign now. The new one:\n%s\nGive it to every receiver, then: rollcall webhook secret rotate --finish --account "+c.Account+"\n"
		switch {
		case c.Finish:
			step, said = s.Finish, "Only the new secret signs now:\n%s\n"
		case c.Cancel:
			step, said = s.Cancel, "Only the old secret signs now:\n%s\n"
		}
		got, err := step(ctx, c.Account, service.Operator())
		if err != nil {
			return err
		}
		if c.JSON {
			return app.PrintJSON(secretJSONOf(got))
		}
		// During the overlap the new secret is what receivers need; otherwise there is only one.
		shown := got.Keys.Current
		if !got.Keys.Next.IsZero() {
			shown = got.Keys.Next
		}
		_, err = fmt.Fprintf(app.Stdout, said, shown.Reveal())
		return err
	})
}

// secretJSON is a webhook secret as --json prints it. NextSecret and RotatingSince are null outside a rotation.
type secretJSON struct {
	AccountID     string     `json:"account_id"`
	Secret        string     `json:"secret"`
	NextSecret    *string    `json:"next_secret"`
	RotatingSince *time.Time `json:"rotating_since"`
}

// secretJSONOf converts a secret for --json. It is one of the few places that reveal the text of a secret.
func secretJSONOf(s *notifier.AccountSecret) secretJSON {
	out := secretJSON{AccountID: s.AccountID, Secret: s.Keys.Current.Reveal(), RotatingSince: cell.UTC(s.RotatingSince)}
	if !s.Keys.Next.IsZero() {
		next := s.Keys.Next.Reveal()
		out.NextSecret = &next
	}
	return out
}

// withSecrets opens the database for work on the webhook secret of an account. An unknown account is an error
// before anything is decrypted.
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
