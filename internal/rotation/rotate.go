package rotation

import (
	"context"
	"errors"
	"fmt"
	"io"

	"rollcall/ingest/raw"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models/encrypted"
	"rollcall/models/store"
	"rollcall/notifier"
)

// rotateCmd encrypts everything under the present key.
type rotateCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run renews what is under older keys and prints what was done and what is left. It fails when something is left.
func (c *rotateCmd) Run(ctx context.Context, app *service.App) error {
	st, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	secrets, err := app.SecretKeys()
	if err != nil {
		return err
	}
	archive, err := raw.NewSeal(secrets...)
	if err != nil {
		return err
	}
	webhooks, err := notifier.NewSealer(secrets...)
	if err != nil {
		return err
	}
	r := rotation{store: st, archive: raw.Archive{Store: st, Seal: archive}, webhooks: webhooks, errors: app.Stderr}
	if err := r.all(ctx); err != nil {
		return err
	}
	keys, err := app.KeysInUse(ctx, st)
	if err != nil {
		return err
	}
	left := service.KeyUse{}
	for _, k := range keys {
		if !k.Present {
			left.Documents, left.Rows, left.Secrets = left.Documents+k.Documents, left.Rows+k.Rows, left.Secrets+k.Secrets
		}
	}
	if c.JSON {
		err = app.PrintJSON(struct {
			Documents int       `json:"documents"`
			Rows      int       `json:"rows"`
			Accounts  int       `json:"accounts"`
			Left      int       `json:"left"`
			Keys      []keyJSON `json:"keys"`
		}{r.documents, r.rows, r.accounts, left.Values(), keysJSON(keys)})
	} else {
		_, err = fmt.Fprintf(app.Stdout, "Encrypted under the present key: %s, %s, and the webhook secrets of %s.\n%s", plural.Of(r.documents, "document"),
			plural.Of(r.rows, "row"), plural.Of(r.accounts, "account"), leftText(left))
	}
	if err == nil && left.Values() > 0 {
		err = errors.New("not everything could be renewed: see rollcall secrets list")
	}
	return err
}

// leftText says what is left under other keys.
func leftText(left service.KeyUse) string {
	if left.Values() == 0 {
		return "Nothing is left under another key. Take the old keys out of ROLLCALL_SECRET_KEYS_OLD (or secret.key), and restart every process.\n"
	}
	return fmt.Sprintf("Left under other keys: %s, %s, %s.\n", plural.Of(left.Documents, "document"), plural.Of(left.Rows, "row"), plural.Of(left.Secrets, "webhook secret"))
}

// rotation renews values, kind by kind.
type rotation struct {
	store    *store.Store
	archive  raw.Archive
	webhooks *notifier.Sealer
	// errors takes a line for each value that could not be renewed.
	errors                    io.Writer
	documents, rows, accounts int
}

// all renews everything. What cannot be read is reported and left. Webhook secrets come first: they are few, and deliveries
// need them.
func (r *rotation) all(ctx context.Context) error {
	for account := ""; ; {
		next, err := r.store.RenewSecret(ctx, r.archive.Seal.Key(), account, r.webhooks.Renew)
		if err := r.report(err); err != nil {
			return err
		}
		if account = next; account == "" {
			break
		}
		if err == nil {
			r.accounts++
		}
	}
	for row := int64(0); ; {
		last, done, err := r.archive.RenewRows(ctx, row)
		if err := r.report(err); err != nil {
			return err
		}
		r.rows += done
		if row = last; row == 0 {
			break
		}
	}
	for document := int64(0); ; {
		next, err := r.archive.RenewDocument(ctx, document)
		if err := r.report(err); err != nil {
			return err
		}
		if document = next; document == 0 {
			return nil
		}
		if err == nil {
			r.documents++
		}
	}
}

// report prints the values that could not be renewed. It returns every other error.
func (r *rotation) report(err error) error {
	if err == nil {
		return nil
	}
	if _, refused := errors.AsType[*encrypted.RefusedError](err); !refused {
		return err
	}
	_, err = fmt.Fprintln(r.errors, err)
	return err
}
