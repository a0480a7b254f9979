package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
)

// accountCmd is the customers: each has a plan, a rate limit and its keys.
type accountCmd struct {
	Create accountCreateCmd `cmd:"" help:"Make an account."`
	List   accountListCmd   `cmd:"" help:"List the accounts, oldest first."`
	Set    accountSetCmd    `cmd:"" help:"Change an account; a running server heeds it within a second."`
	Invite accountInviteCmd `cmd:"" help:"Make a link with which somebody becomes a member and signs in."`
	Reset  accountResetCmd  `cmd:"" help:"Make a link with which a member chooses a new password."`
}

type accountCreateCmd struct {
	Name      string `required:"" help:"Name of the customer."`
	Email     string `required:"" help:"Address of the customer; no two accounts share one."`
	Plan      string `required:"" help:"free, pro or enterprise; only enterprise may use the API."`
	RateLimit int    `default:"100" help:"Requests a minute over all keys; 0 is unlimited. Default ${default}."`
	JSON      bool   `name:"json" help:"Print JSON."`
}

// Run makes an account.
func (c *accountCreateCmd) Run(ctx context.Context, app *service.App) error {
	plan, err := models.ParsePlan(c.Plan)
	if err != nil {
		return err
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	a := &models.Account{Name: c.Name, Email: c.Email, Plan: plan, RateLimit: c.RateLimit}
	if err := store.CreateAccount(ctx, a); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(accountJSONOf(a))
	}
	_, err = fmt.Fprintf(app.Stdout, "Made account %s (%s, %s).\nMake a key for it: rollcall key create --account %s --label first\n",
		a.ID, a.Plan, rateText(a.RateLimit), a.ID)
	return err
}

type accountListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the accounts.
func (c *accountListCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	accounts, err := store.Accounts(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		all := make([]accountJSON, 0, len(accounts))
		for _, a := range accounts {
			all = append(all, accountJSONOf(a))
		}
		return app.PrintJSON(all)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tPLAN\tRATE LIMIT\tCREATED\tNAME\tE-MAIL"); err != nil {
		return err
	}
	for _, a := range accounts {
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, a.Plan, rateText(a.RateLimit), timeText(&a.CreatedAt), a.Name, a.Email)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

type accountSetCmd struct {
	ID        string  `arg:"" help:"Id of the account."`
	Plan      *string `help:"free, pro or enterprise."`
	RateLimit *int    `help:"Requests a minute over all keys; 0 is unlimited."`
	Flood     *int    `name:"flood-limit" help:"Webhook deliveries a minute; those above it are sent later, none is left out. 0 is no limit."`
	Name      *string `help:"Name of the customer."`
	Email     *string `help:"Address of the customer."`
	JSON      bool    `name:"json" help:"Print JSON."`
}

// Run changes an account.
func (c *accountSetCmd) Run(ctx context.Context, app *service.App) error {
	change := models.AccountChange{Name: c.Name, Email: c.Email, RateLimit: c.RateLimit, FloodLimit: c.Flood}
	if c.Plan != nil {
		plan, err := models.ParsePlan(*c.Plan)
		if err != nil {
			return err
		}
		change.Plan = &plan
	}
	if change == (models.AccountChange{}) {
		return errors.New("nothing to change: give --plan, --rate-limit, --flood-limit, --name or --email")
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	a, err := store.UpdateAccount(ctx, c.ID, change)
	if err != nil {
		return err
	}
	if err := recordBy(ctx, store, a.ID, "account changed", fmt.Sprintf("%s, %s%s", a.Plan, rateText(a.RateLimit), floodText(a.FloodLimit))); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(accountJSONOf(a))
	}
	_, err = fmt.Fprintf(app.Stdout, "Account %s: %s, %s%s.\n", a.ID, a.Plan, rateText(a.RateLimit), floodText(a.FloodLimit))
	return err
}

// accountJSON is an account as --json prints it.
type accountJSON struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Email     string      `json:"email"`
	Plan      models.Plan `json:"plan"`
	RateLimit int         `json:"rate_limit"`
	Flood     int         `json:"flood_limit"`
	CreatedAt time.Time   `json:"created_at"`
}

// accountJSONOf shows an account to programs.
func accountJSONOf(a *models.Account) accountJSON {
	return accountJSON{
		ID: a.ID, Name: a.Name, Email: a.Email, Plan: a.Plan, RateLimit: a.RateLimit, Flood: a.FloodLimit, CreatedAt: a.CreatedAt.UTC(),
	}
}

// rateText shows a request limit to people.
func rateText(limit int) string {
	if limit == 0 {
		return "unlimited"
	}
	return plural.Of(limit, "request") + " a minute"
}

// floodText shows a limit of deliveries to people, where there is one.
func floodText(limit int) string {
	if limit == 0 {
		return ""
	}
	return ", " + plural.Of(limit, "delivery", "deliveries") + " a minute"
}

// timeText is a moment for people to read, or - for none.
func timeText(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04 MST")
}
