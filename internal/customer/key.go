package customer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/auth"
	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
)

// KeyCommand groups the commands about API keys. A key is printed once, when it is made, because only its SHA-256
// is stored (DECISIONS.md, Keys).
type KeyCommand struct {
	Create keyCreateCmd `cmd:"" help:"Make an API key and print it, once."`
	List   keyListCmd   `cmd:"" help:"List the keys, newest first, without their text."`
	Revoke keyRevokeCmd `cmd:"" help:"End a key; a running server refuses it within a second."`
}

// keyCreateCmd makes a key for an account of any plan. The settings pages make keys for enterprise accounts
// only, so this command is also how a 403 can be tried.
type keyCreateCmd struct {
	Account string `required:"" help:"Id of the account that the key belongs to."`
	// Label is how people recognise the key later: its text cannot be shown again.
	Label string `required:"" help:"What the key is for."`
	// Expires is 0 for a key that never expires.
	Expires span     `help:"Ends the key after that long, such as 90d or 12h. Without it the key does not expire."`
	Scope   []string `help:"What the key opens beside records: alerts, webhooks, admin; read for records alone. Repeatable; without it everything."`
	Test    bool     `help:"Make a test key, rc_test_..., which only a service of invented records accepts, such as rollcall demo."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

// Run prints the key and records in the audit trail that it was made. Its text is never recorded or logged.
func (c *keyCreateCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	account, err := store.Account(ctx, c.Account)
	if err != nil {
		return err
	}
	scopes, err := models.ParseScopes(c.Scope)
	if err != nil {
		return err
	}
	text := auth.NewKey
	if c.Test {
		text = auth.NewTestKey
	}
	key := text()
	sha := key.SHA256()
	k := &models.APIKey{AccountID: account.ID, Label: c.Label, Prefix: key.Prefix(), SHA256: sha[:], Scopes: scopes}
	if c.Expires > 0 {
		end := time.Now().Add(time.Duration(c.Expires)).UTC()
		k.ExpiresAt = &end
	}
	if err := store.CreateKey(ctx, k); err != nil {
		return err
	}
	if err := service.Record(ctx, store, account.ID, "key created", keyText(k)); err != nil {
		return err
	}
	// The note goes to standard error: a script reads the key from standard output.
	if account.Plan != models.Enterprise {
		_, err := fmt.Fprintf(app.Stderr, "Note: plan %s does not include API access, so requests with this key are answered 403.\n", account.Plan)
		if err != nil {
			return err
		}
	}
	if c.Test {
		_, err := fmt.Fprintln(app.Stderr, "Note: a test key works with rollcall demo alone. A service that reads real sources answers it 403.")
		if err != nil {
			return err
		}
	}
	if c.JSON {
		return app.PrintJSON(struct {
			ID  string `json:"id"`
			Key string `json:"key"`
		}{k.ID, key.Reveal()})
	}
	_, err = fmt.Fprintf(app.Stdout, "Made key %s. It is shown only now:\n%s\n", k.ID, key.Reveal())
	return err
}

// keyListCmd lists keys by their prefix, of one account or of all.
type keyListCmd struct {
	// Account is empty for the keys of all accounts.
	Account string `help:"Only the keys of the account with this id."`
	MadeBy  string `help:"Only the keys that the user of this address made; it need not be a member any more." placeholder:"ADDRESS"`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run prints the keys, newest first. An unknown account is an error and not an empty list.
func (c *keyListCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if c.Account != "" {
		if _, err := store.Account(ctx, c.Account); err != nil {
			return err
		}
	}
	keys, err := store.Keys(ctx, c.Account)
	if err != nil {
		return err
	}
	if c.MadeBy != "" {
		keys = slices.DeleteFunc(keys, func(k *models.APIKey) bool { return !strings.EqualFold(k.CreatedBy, c.MadeBy) })
	}
	if c.JSON {
		all := make([]keyJSON, 0, len(keys))
		for _, k := range keys {
			all = append(all, keyJSONOf(k))
		}
		return app.PrintJSON(all)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tACCOUNT\tKEY\tSCOPES\tCREATED\tMADE BY\tLAST USED\tEXPIRES\tREVOKED\tLABEL"); err != nil {
		return err
	}
	for _, k := range keys {
		_, err := fmt.Fprintf(w, "%s\t%s\t%s...\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.AccountID, k.Prefix, k.Opens(),
			cell.Time(&k.CreatedAt), k.CreatedBy, cell.Time(k.LastUsed), cell.Time(k.ExpiresAt), cell.Time(k.RevokedAt), k.Label)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// keyRevokeCmd ends a key, or all keys that somebody made in an account, at once or after an overlap.
type keyRevokeCmd struct {
	ID string `arg:"" optional:"" help:"Id of the key, as rollcall key list shows it."`
	// Account and MadeBy together take the place of ID.
	Account string `help:"With --made-by: id of the account."`
	MadeBy  string `help:"Ends all keys of the account that the user of this address made, such as one who left." placeholder:"ADDRESS"`
	// After is 0 to end the key now. A key that would end earlier anyway keeps that end.
	After span `help:"Lets the key work that much longer, such as 24h, while a new one takes over."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// Run revokes the keys and records each in the audit trail. Other processes refuse them within a second.
func (c *keyRevokeCmd) Run(ctx context.Context, app *service.App) error {
	if byMaker := c.Account != "" && c.MadeBy != ""; byMaker == (c.ID != "") || !byMaker && c.Account+c.MadeBy != "" {
		return errors.New("give the id of a key, or --account and --made-by together")
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	at := time.Now().Add(time.Duration(c.After)).UTC()
	keys, err := c.revoke(ctx, store, at)
	if err != nil {
		return err
	}
	action := "key revoked"
	if c.After > 0 {
		action = "key ends in " + time.Duration(c.After).String()
	}
	for _, k := range keys {
		if err := service.Record(ctx, store, k.AccountID, action, keyText(k)); err != nil {
			return err
		}
	}
	if c.ID == "" {
		return c.printAll(app, keys, at)
	}
	if c.JSON {
		return app.PrintJSON(struct {
			ID        string    `json:"id"`
			RevokedAt time.Time `json:"revoked_at"`
		}{c.ID, at})
	}
	_, err = fmt.Fprintf(app.Stdout, "Key %s ends at %s.\n", c.ID, cell.Time(&at))
	return err
}

// revoke ends the keys and returns those that it ended.
func (c *keyRevokeCmd) revoke(ctx context.Context, store *store.Store, at time.Time) ([]*models.APIKey, error) {
	if c.ID == "" {
		if _, err := store.Account(ctx, c.Account); err != nil {
			return nil, err
		}
		return store.RevokeKeysOf(ctx, c.Account, c.MadeBy, at)
	}
	k, err := store.Key(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return []*models.APIKey{k}, store.RevokeKey(ctx, c.ID, at)
}

// printAll prints the keys of one maker that were ended. None is no error: it is what whoever calls this wants.
func (c *keyRevokeCmd) printAll(app *service.App, keys []*models.APIKey, at time.Time) error {
	if c.JSON {
		all := make([]keyJSON, 0, len(keys))
		for _, k := range keys {
			all = append(all, keyJSONOf(k))
		}
		return app.PrintJSON(all)
	}
	for _, k := range keys {
		if _, err := fmt.Fprintf(app.Stdout, "Key %s (%s) ends at %s.\n", k.ID, k.Label, cell.Time(&at)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(app.Stdout, "%s that %s made ended.\n", plural.Of(len(keys), "key"), c.MadeBy)
	return err
}

// keyText names a key in an audit trail, by its label and its first characters.
func keyText(k *models.APIKey) string { return k.Label + " (" + k.Prefix + "…)" }

// keyJSON is a key as --json lists it. Times that are not set are null.
type keyJSON struct {
	ID        string `json:"id"`
	AccountID string `json:"account_id"`
	Label     string `json:"label"`
	Prefix    string `json:"prefix"`
	// Scopes are what the key opens.
	Scopes    []models.Scope `json:"scopes"`
	CreatedAt time.Time      `json:"created_at"`
	// CreatedBy is the address of the user who made it, or "command line".
	CreatedBy string `json:"created_by"`
	// LastUsed is written now and then and not with each request, so it may be a little old.
	LastUsed  *time.Time `json:"last_used"`
	ExpiresAt *time.Time `json:"expires_at"`
	// RevokedAt may lie ahead, during an overlap with a new key.
	RevokedAt *time.Time `json:"revoked_at"`
}

// keyJSONOf converts a key for --json: its prefix, never its text.
func keyJSONOf(k *models.APIKey) keyJSON {
	return keyJSON{
		ID: k.ID, AccountID: k.AccountID, Label: k.Label, Prefix: k.Prefix, Scopes: k.Scopes,
		CreatedAt: k.CreatedAt.UTC(), CreatedBy: k.CreatedBy, LastUsed: cell.UTC(k.LastUsed), ExpiresAt: cell.UTC(k.ExpiresAt), RevokedAt: cell.UTC(k.RevokedAt),
	}
}

// span is a positive length of time on the command line: 90m and 12h as Go writes them, or days as 90d. The
// zero value is a flag that was not given.
type span time.Duration

// UnmarshalText reads a span. Zero and negative lengths are errors: a key that expires at once would help
// nobody.
func (s *span) UnmarshalText(text []byte) error {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= 36500 {
			*s = span(time.Duration(n) * 24 * time.Hour)
			return nil
		}
	}
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%.20q is not a length of time like 90d, 12h or 30m", text)
	}
	*s = span(d)
	return nil
}
