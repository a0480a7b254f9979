package customer

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
)

// AccountCommand groups the commands about customers. An account has a plan, a rate limit, users and API keys.
type AccountCommand struct {
	Create  accountCreateCmd  `cmd:"" help:"Make an account."`
	List    accountListCmd    `cmd:"" help:"List the accounts, oldest first."`
	Set     accountSetCmd     `cmd:"" help:"Change an account; it applies to a running server within a second."`
	Suspend accountSuspendCmd `cmd:"" help:"Stop an account: keys are refused, and no event is found or sent."`
	Resume  accountResumeCmd  `cmd:"" help:"End a suspension; alerts see what is detected from then on."`
	Invite  accountInviteCmd  `cmd:"" help:"Make a link with which somebody becomes a member and signs in."`
	Reset   accountResetCmd   `cmd:"" help:"Make a link with which a member chooses a new password."`
}

// accountCreateCmd makes an account. It makes neither a user nor a key: see invite and `rollcall key create`.
type accountCreateCmd struct {
	Name string `required:"" help:"Name of the customer." placeholder:"NAME"`
	// Email is compared in any letter case. It is a customer's address for invoices, not a user's name.
	Email string `required:"" help:"Address of the customer; no two accounts share one." placeholder:"ADDRESS"`
	// Plan is checked before the database is opened. Only enterprise includes API access (SPEC.md,
	// Authentication).
	Plan string `required:"" help:"free, pro or enterprise; only enterprise may use the API." placeholder:"PLAN"`
	// RateLimit holds for all keys of the account together, so that several keys do not multiply it.
	RateLimit int  `default:"100" help:"Requests a minute over all keys; 0 is unlimited. Default ${default}."`
	JSON      bool `name:"json" help:"Print JSON."`
}

// Run makes the account. An address that another account has is a conflict.
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

// accountListCmd lists every account of the installation.
type accountListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the accounts, oldest first.
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
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, planText(a), rateText(a.RateLimit), cell.Time(&a.CreatedAt), a.Name, a.Email)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// accountSetCmd changes an account. A nil flag was not given and leaves its value as it is.
type accountSetCmd struct {
	// ID is the account's id (acct_...), not its name.
	ID string `arg:"" help:"Id of the account."`
	// A change of the plan ends or begins access of all keys of the account.
	Plan      *string `help:"free, pro or enterprise."`
	RateLimit *int    `help:"Requests a minute over all keys; 0 is unlimited."`
	// Flood delays deliveries and drops none, so that a receiver is not overrun (DECISIONS.md, Alerts).
	Flood *int    `name:"flood-limit" help:"Webhook deliveries a minute; those above it are sent later, none is left out. 0 is no limit."`
	Name  *string `help:"Name of the customer."`
	Email *string `help:"Address of the customer."`
	JSON  bool    `name:"json" help:"Print JSON."`
}

// Run changes the account and records the change in its audit trail. A running server applies the new plan and
// limits within a second. An account that leaves the enterprise plan receives no further deliveries
// (DECISIONS.md, Alerts).
func (c *accountSetCmd) Run(ctx context.Context, app *service.App) error {
	change := models.AccountChange{Name: c.Name, Email: c.Email, RateLimit: c.RateLimit, FloodLimit: c.Flood}
	if c.Plan != nil {
		plan, err := models.ParsePlan(*c.Plan)
		if err != nil {
			return err
		}
		change.Plan = &plan
	}
	// Calling it without a flag is more likely a typo than a wish to change nothing.
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
	if err := service.Record(ctx, store, a.ID, "account changed", fmt.Sprintf("%s, %s%s", a.Plan, rateText(a.RateLimit), floodText(a.FloodLimit))); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(accountJSONOf(a))
	}
	_, err = fmt.Fprintf(app.Stdout, "Account %s: %s, %s%s.\n", a.ID, a.Plan, rateText(a.RateLimit), floodText(a.FloodLimit))
	return err
}

// accountJSON is an account as --json prints it. A limit of 0 is no limit.
type accountJSON struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Email     string      `json:"email"`
	Plan      models.Plan `json:"plan"`
	RateLimit int         `json:"rate_limit"`
	Flood     int         `json:"flood_limit"`
	CreatedAt time.Time   `json:"created_at"`
	// SuspendedAt and SuspendedReason are null for an account that is not suspended.
	SuspendedAt     *time.Time `json:"suspended_at"`
	SuspendedReason *string    `json:"suspended_reason"`
}

// accountJSONOf converts an account for --json.
func accountJSONOf(a *models.Account) accountJSON {
	return accountJSON{
		ID: a.ID, Name: a.Name, Email: a.Email, Plan: a.Plan, RateLimit: a.RateLimit, Flood: a.FloodLimit, CreatedAt: a.CreatedAt.UTC(),
		SuspendedAt: a.SuspendedAt, SuspendedReason: a.SuspendedReason,
	}
}

// rateText formats a limit of requests for people.
func rateText(limit int) string {
	if limit == 0 {
		return "unlimited"
	}
	return plural.Of(limit, "request") + " a minute"
}

// planText is the plan of an account, and whether the account is suspended.
func planText(a *models.Account) string {
	if a.SuspendedAt != nil {
		return string(a.Plan) + ", suspended"
	}
	return string(a.Plan)
}

// floodText formats a limit of deliveries as the end of a sentence. It is empty without a limit.
func floodText(limit int) string {
	if limit == 0 {
		return ""
	}
	return ", " + plural.Of(limit, "delivery", "deliveries") + " a minute"
}
