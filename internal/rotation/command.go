// Package rotation is the commands about the secret keys of the service, under which archives, quarantined rows and webhook
// secrets are encrypted: `rollcall secrets`.
//
// How a value is encrypted is in ingest/raw and notifier, and which are left in models/encrypted.
package rotation

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"rollcall/internal/service"
)

// Command groups the commands.
type Command struct {
	List   listCmd   `cmd:"" help:"List the secret keys and how much is encrypted under each."`
	Rotate rotateCmd `cmd:"" help:"Encrypt what is under older secret keys under the present one. It goes on where it was interrupted."`
}

// Help says what a rotation is, in the order of its steps.
func (Command) Help() string {
	return "To replace the secret key: 1. set ROLLCALL_SECRET_KEY to a new key and ROLLCALL_SECRET_KEYS_OLD to the old one for every " +
		"process, and restart them; 2. run rollcall secrets rotate; 3. when it says that nothing is left, take the old key away and restart."
}

// keyJSON is a key as --json prints it. An id that is null: stored before keys had ids.
type keyJSON struct {
	ID        *string `json:"id"`
	Present   bool    `json:"present"`
	Given     bool    `json:"given"`
	Documents int     `json:"documents"`
	Rows      int     `json:"rows"`
	Secrets   int     `json:"webhook_secrets"`
}

// keysJSON converts keys for --json.
func keysJSON(keys []service.KeyUse) []keyJSON {
	all := make([]keyJSON, 0, len(keys))
	for _, k := range keys {
		j := keyJSON{Present: k.Present, Given: k.Given, Documents: k.Documents, Rows: k.Rows, Secrets: k.Secrets}
		if k.ID != "" {
			j.ID = &k.ID
		}
		all = append(all, j)
	}
	return all
}

// errMissing ends a command when something is under a key that is not given.
var errMissing = errors.New("something is under a key that is not given: add it to ROLLCALL_SECRET_KEYS_OLD")

// listCmd lists the keys. Their text is never printed.
type listCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the keys. It fails after that when something is under a key that is not given.
func (c *listCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	keys, err := app.KeysInUse(ctx, store)
	if err != nil {
		return err
	}
	if c.JSON {
		err = app.PrintJSON(keysJSON(keys))
	} else {
		err = printKeys(app, keys)
	}
	for _, k := range keys {
		if err == nil && !k.Given {
			err = errMissing
		}
	}
	return err
}

// printKeys prints the keys as a table.
func printKeys(app *service.App, keys []service.KeyUse) error {
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KEY\tSTATE\tDOCUMENTS\tROWS\tWEBHOOK SECRETS")
	for _, k := range keys {
		id, state := k.ID, "old"
		switch {
		case k.Present:
			state = "in use"
		case !k.Given:
			state = "NOT GIVEN"
		case k.Values() == 0:
			state = "old, can be taken away"
		}
		if id == "" {
			id = "(without id)"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", id, state, k.Documents, k.Rows, k.Secrets)
	}
	return w.Flush()
}
