package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
)

type deliveriesBacklogCmd struct {
	Account string `help:"Only this account; it is listed even when nothing waits."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// backlogJSON is what --json prints of an account; times are null where nothing waits.
type backlogJSON struct {
	AccountID    string     `json:"account_id"`
	FloodLimit   int        `json:"flood_limit"` // deliveries a minute; 0: none
	Waiting      int        `json:"waiting"`
	Delayed      int        `json:"delayed"`
	DelayedUntil *time.Time `json:"delayed_until"`
	Retrying     int        `json:"retrying"`
	OldestDue    *time.Time `json:"oldest_due"`
}

// Run sums up what is under way.
func (c *deliveriesBacklogCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	rows, err := c.rows(ctx, store)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(rows)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ACCOUNT\tLIMIT A MINUTE\tWAITING\tDELAYED\tDELAYED UNTIL\tRETRYING\tOLDEST DUE")
	for _, b := range rows {
		limit := "-"
		if b.FloodLimit > 0 {
			limit = strconv.Itoa(b.FloodLimit)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%d\t%s\n", b.AccountID, limit, b.Waiting, b.Delayed, timeText(b.DelayedUntil), b.Retrying, timeText(b.OldestDue))
	}
	return w.Flush()
}

// rows are of the accounts for which something is under way, oldest account first; of one if one is asked for.
func (c *deliveriesBacklogCmd) rows(ctx context.Context, store *store.Store) ([]backlogJSON, error) {
	accounts, err := store.Accounts(ctx)
	if c.Account != "" {
		var one *models.Account
		one, err = store.Account(ctx, c.Account)
		accounts = []*models.Account{one}
	}
	if err != nil {
		return nil, err
	}
	all, err := store.AccountBacklogs(ctx)
	if err != nil {
		return nil, err
	}
	rows := []backlogJSON{}
	for _, a := range accounts {
		b, some := all[a.ID]
		if some || c.Account != "" {
			rows = append(rows, backlogJSON{
				AccountID: a.ID, FloodLimit: a.FloodLimit, Waiting: b.Waiting, Delayed: b.Delayed, DelayedUntil: b.DelayedUntil, Retrying: b.Retrying, OldestDue: b.OldestDue,
			})
		}
	}
	return rows, nil
}
