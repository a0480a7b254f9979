package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/store"
)

// deliveriesBacklogCmd sums up the deliveries under way, by account.
type deliveriesBacklogCmd struct {
	Account string `help:"Only this account; it is listed even when nothing waits."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// backlogJSON is what --json prints of an account. Times are null where nothing waits.
type backlogJSON struct {
	AccountID string `json:"account_id"`
	// FloodLimit is in deliveries a minute; 0 is no limit.
	FloodLimit int `json:"flood_limit"`
	// Waiting counts deliveries that are due, or on the wire, for the first time.
	Waiting int `json:"waiting"`
	// Delayed counts those that the flood limit holds back before their first attempt. The last of them is due
	// at DelayedUntil.
	Delayed      int        `json:"delayed"`
	DelayedUntil *time.Time `json:"delayed_until"`
	// Retrying counts deliveries that failed at least once and are tried again after 30 s, 5 min or 30 min.
	Retrying int `json:"retrying"`
	// OldestDue is since when the longest waiting delivery is due. An old one means that sending is stuck.
	OldestDue *time.Time `json:"oldest_due"`
}

// Run prints one line for each account that has something under way.
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
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%d\t%s\n", b.AccountID, limit, b.Waiting, b.Delayed, cell.Time(b.DelayedUntil), b.Retrying, cell.Time(b.OldestDue))
	}
	return w.Flush()
}

// rows returns the accounts with deliveries under way, oldest account first. An account that was asked for by
// its id is returned even when nothing waits.
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
				AccountID: a.ID, FloodLimit: a.FloodLimit, Waiting: b.Waiting, Delayed: b.Delayed, DelayedUntil: b.DelayedUntil,
				Retrying: b.Retrying, OldestDue: b.OldestDue,
			})
		}
	}
	return rows, nil
}
