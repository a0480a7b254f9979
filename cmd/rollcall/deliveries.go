package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
)

// deliveriesCmd groups the commands about webhook deliveries: what was sent, and what is still to be sent.
type deliveriesCmd struct {
	List    deliveriesListCmd    `cmd:"" help:"List deliveries of an account, newest first, with their attempts."`
	Replay  deliveriesReplayCmd  `cmd:"" help:"Send deliveries again, with all attempts and the same webhook-id."`
	Backlog deliveriesBacklogCmd `cmd:"" help:"What is still to be delivered, by account: due, held back by the flood limit, to be tried again."`
}

// deliveriesListCmd lists deliveries of one account. A nil filter, or a zero time, does not narrow the list.
type deliveriesListCmd struct {
	Account string `required:"" help:"Id of the account."`
	// Webhook is the id of an endpoint, and Alert that of a watcher.
	Webhook *string `help:"Only those to this endpoint."`
	Alert   *string `help:"Only those of this watcher."`
	State   *string `help:"Only those that are pending, failed, delivered or dropped."`
	// From is inclusive and To exclusive, so that periods can follow each other without a gap or an overlap.
	From  moment `help:"Only those made at or after this time (RFC 3339 or YYYY-MM-DD)."`
	To    moment `help:"Only those made before this time."`
	Limit int    `default:"50" help:"At most that many, 1 to 1000. Default ${default}."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run prints the deliveries, newest first, each with its last attempt. All attempts of the page are read in one
// statement. With --json every attempt and the exact body are printed.
func (c *deliveriesListCmd) Run(ctx context.Context, app *service.App) error {
	filter := models.DeliveryFilter{WebhookID: c.Webhook, WatcherID: c.Alert, From: c.From.time(), To: c.To.time()}
	if c.State != nil {
		state, err := models.ParseDeliveryState(*c.State)
		if err != nil {
			return err
		}
		filter.State = &state
	}
	if c.Limit < 1 || c.Limit > 1000 {
		return models.Invalid("limit", "--limit takes 1 to 1000")
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	// An unknown account or endpoint is an error. An empty list would say that nothing was sent.
	if _, err := store.Account(ctx, c.Account); err != nil {
		return err
	}
	if c.Webhook != nil {
		_, err := store.Webhook(ctx, c.Account, *c.Webhook)
		if models.CodeOf(err) == models.CodeNotFound { // it may be an e-mail endpoint
			_, err = store.Email(ctx, c.Account, *c.Webhook)
		}
		if models.CodeOf(err) == models.CodeNotFound {
			return models.NotFound("the account has no endpoint " + *c.Webhook + ", by webhook or by e-mail; rollcall webhook list shows its endpoints")
		}
		if err != nil {
			return err
		}
	}
	page, err := store.Deliveries(ctx, c.Account, filter, models.Page{Limit: c.Limit})
	if err != nil {
		return err
	}
	ids := make([]string, len(page.Deliveries))
	for i, d := range page.Deliveries {
		ids[i] = d.ID
	}
	attempts, err := store.AttemptsOf(ctx, ids)
	if err != nil {
		return err
	}
	if c.JSON {
		all := make([]deliveryJSON, len(page.Deliveries))
		for i, d := range page.Deliveries {
			all[i] = deliveryJSONOf(d, attempts[d.ID])
		}
		return app.PrintJSON(all)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tCREATED\tEVENT\tWEBHOOK\tSTATE\tATTEMPTS\tNEXT\tLAST ATTEMPT")
	for _, d := range page.Deliveries {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", d.ID, cell.Second(&d.CreatedAt), d.Kind, d.WebhookID, stateText(d),
			d.Attempts, cell.Second(d.NextAttempt), lastText(attempts[d.ID]))
	}
	return w.Flush()
}

// stateText formats a state with the reason for it, such as "dropped (cancelled)".
func stateText(d *models.Delivery) string {
	if d.Reason != nil {
		return string(d.State) + " (" + string(*d.Reason) + ")"
	}
	return string(d.State)
}

// lastText formats the outcome of the last attempt: its error, or status and latency.
func lastText(attempts []*models.Attempt) string {
	if len(attempts) == 0 {
		return "-"
	}
	a := attempts[len(attempts)-1]
	if a.Error != nil {
		return *a.Error
	}
	return fmt.Sprintf("answered %d after %d ms", *cmp.Or(a.Status, new(int)), a.LatencyMS)
}

// deliveriesReplayCmd sends deliveries again: one by its id, or those to one endpoint by time and state. The
// body and the webhook-id stay the same, so that a receiver can recognise a repetition.
type deliveriesReplayCmd struct {
	Account string `required:"" help:"Id of the account."`
	ID      string `xor:"what" help:"Only this delivery."`
	Webhook string `xor:"what" help:"All deliveries to this endpoint, as the other flags say."`
	From    moment `help:"Only those made at or after this time (RFC 3339 or YYYY-MM-DD)."`
	To      moment `help:"Only those made before this time."`
	// State may name final states only. A delivery under way needs no replay.
	State  []string `default:"dropped" help:"dropped, delivered or both. Default ${default}."`
	DryRun bool     `help:"Only say how many it would be."`
	JSON   bool     `name:"json" help:"Print JSON."`
}

// Validate asks for one of the two. Kong's own "required" would show both as needed in the usage line.
func (c *deliveriesReplayCmd) Validate() error {
	return oneOf("--id", c.ID != "", "--webhook", c.Webhook != "")
}

// oneOf returns an error unless one of two flags was given. Kong refuses both together by their xor.
func oneOf(a string, hasA bool, b string, hasB bool) error {
	if !hasA && !hasB {
		return errors.New("give " + a + " or " + b)
	}
	return nil
}

// Run begins the deliveries anew, each with all four attempts, and prints their number. It records the replay
// in the account's audit trail. A dry run checks and counts only. Deliveries about withheld records and
// dismissed people are left out (models/delivery, Replay).
func (c *deliveriesReplayCmd) Run(ctx context.Context, app *service.App) error {
	replay := models.Replay{WebhookID: c.Webhook, From: c.From.time(), To: c.To.time(), DryRun: c.DryRun}
	for _, s := range c.State {
		state, err := models.ParseDeliveryState(s)
		if err != nil {
			return err
		}
		replay.States = append(replay.States, state)
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	count := 1
	switch {
	case c.ID == "":
		count, err = store.Replay(ctx, c.Account, replay)
	case c.DryRun:
		err = store.CheckRedeliver(ctx, c.Account, c.ID)
	default:
		_, err = store.Redeliver(ctx, c.Account, c.ID)
	}
	if err != nil {
		return err
	}
	if !c.DryRun {
		action, subject := "deliveries sent again", strings.TrimSuffix(plural.Of(count, "delivery", "deliveries")+" to "+c.Webhook, " to ")
		if c.ID != "" {
			action, subject = "delivery sent again", c.ID
		}
		if err := service.Record(ctx, store, c.Account, action, subject); err != nil {
			return err
		}
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"count": count, "dry_run": c.DryRun})
	}
	verb := "Sending again"
	if c.DryRun {
		verb = "Would send again"
	}
	_, err = fmt.Fprintf(app.Stdout, "%s: %s.\n", verb, plural.Of(count, "delivery", "deliveries"))
	return err
}

// moment is an instant on the command line. The zero value is a flag that was not given.
type moment time.Time

// UnmarshalText reads RFC 3339, or a day, which begins at midnight UTC and not at local midnight.
func (m *moment) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			*m = moment(t)
			return nil
		}
	}
	return fmt.Errorf("%.40q is not a time like 2026-03-08T06:30:00Z or 2026-03-08", text)
}

// time returns the instant, or nil when the flag was not given.
func (m moment) time() *time.Time {
	t := time.Time(m)
	if t.IsZero() {
		return nil
	}
	return &t
}
