package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"rollcall/calendar"
	"rollcall/internal/cell"
	"rollcall/internal/pathtoken"
	"rollcall/internal/service"
	"rollcall/models"
)

// feedCmd groups the commands about calendar subscriptions, whose addresses show the hearings of one case to
// any calendar program. An address opens the calendar without a key, so it is printed once and only the hash of
// its token is stored.
type feedCmd struct {
	Create feedCreateCmd `cmd:"" help:"Make the address of a calendar of a case's hearings and print it, once."`
	List   feedListCmd   `cmd:"" help:"List an account's calendars, newest first, without their addresses."`
	Revoke feedRevokeCmd `cmd:"" help:"End a calendar's address at once."`
}

// feedCreateCmd makes a calendar subscription.
type feedCreateCmd struct {
	Account string `required:"" help:"Id of the account that the calendar belongs to."`
	// Case is a case number or a GraphQL id. An id is never ambiguous.
	Case string `required:"" help:"Number of the case, as the court formats it, or its GraphQL id (case-...)."`
	// County is needed when several counties use the number. A number is unique only within county and court.
	County *string `help:"County slug, where several courts use the number."`
	Label  string  `help:"What the calendar is for."`
	JSON   bool    `name:"json" help:"Print JSON."`
}

// Run prints the address and records in the account's audit trail that it was made. A case that is unknown,
// withheld or ambiguous is an error.
func (c *feedCreateCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	k, err := store.OneCourtCase(ctx, c.Case, c.County)
	if err != nil {
		return err
	}
	// Only the hash goes into the database: a copy of the database opens no calendar.
	token, sha := pathtoken.New()
	f, err := store.CreateCalendarSubscription(ctx, c.Account, k, c.Label, sha)
	if err != nil {
		return err
	}
	if err := service.Record(ctx, store, c.Account, "calendar address created", k.CaseNumber); err != nil {
		return err
	}
	address := pathtoken.Address(app.PublicURL(), token, calendar.File)
	if c.JSON {
		return app.PrintJSON(map[string]string{"id": f.ID, "url": address})
	}
	_, err = fmt.Fprintf(app.Stdout, "Made calendar %s. Its address is shown only now:\n%s\n", f.ID, address)
	return err
}

// feedListCmd lists the calendar subscriptions of an account, those that ended included.
type feedListCmd struct {
	Account string `required:"" help:"Id of the account."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run prints the subscriptions, newest first. An unknown account is an error and not an empty list.
func (c *feedListCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if _, err := store.Account(ctx, c.Account); err != nil {
		return err
	}
	feeds, err := store.CalendarSubscriptions(ctx, c.Account)
	if err != nil {
		return err
	}
	if c.JSON {
		// revoked_at is null while the address works.
		all := make([]map[string]any, 0, len(feeds))
		for _, f := range feeds {
			all = append(all, map[string]any{
				"id": f.ID, "case_number": f.CaseNumber, "county": f.County.Slug, "label": f.Label, "created_at": f.CreatedAt, "revoked_at": cell.UTC(f.RevokedAt),
			})
		}
		return app.PrintJSON(all)
	}
	return c.table(app, feeds)
}

// table prints subscriptions for people. It has no addresses: only their hashes are stored.
func (c *feedListCmd) table(app *service.App, feeds []*models.CalendarSubscription) error {
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tCASE\tCOUNTY\tCREATED\tREVOKED\tLABEL"); err != nil {
		return err
	}
	for _, f := range feeds {
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", f.ID, f.CaseNumber, f.County.Slug, cell.Time(&f.CreatedAt), cell.Time(f.RevokedAt), f.Label)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// feedRevokeCmd ends a calendar subscription.
type feedRevokeCmd struct {
	ID      string `arg:"" help:"Id of the calendar, as the command list shows it."`
	Account string `required:"" help:"Id of the account."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run ends the subscription and records it in the audit trail. The address answers 404 from then on.
func (c *feedRevokeCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.RevokeCalendarSubscription(ctx, c.Account, c.ID); err != nil {
		return err
	}
	if err := service.Record(ctx, store, c.Account, "calendar address ended", c.ID); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]string{"id": c.ID})
	}
	_, err = fmt.Fprintf(app.Stdout, "The address of calendar %s works no more.\n", c.ID)
	return err
}
