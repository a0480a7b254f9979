package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
)

// deliveriesCmd is what was sent to webhooks and what came of it.
type deliveriesCmd struct {
	List    deliveriesListCmd    `cmd:"" help:"List deliveries of an account, newest first, with their attempts."`
	Replay  deliveriesReplayCmd  `cmd:"" help:"Send deliveries again, with all attempts and the same webhook-id."`
	Backlog deliveriesBacklogCmd `cmd:"" help:"What is still to be delivered, by account: due, held back by the flood limit, to be tried again."`
}

type deliveriesListCmd struct {
	Account string  `required:"" help:"Id of the account."`
	Webhook *string `help:"Only those to this registration."`
	Alert   *string `help:"Only those of this watcher."`
	State   *string `help:"Only those that are pending, failed, delivered or dropped."`
	From    moment  `help:"Only those made at or after this time (RFC 3339 or YYYY-MM-DD)."`
	To      moment  `help:"Only those made before this time."`
	Limit   int     `default:"50" help:"At most that many, 1 to 1000. Default ${default}."`
	JSON    bool    `name:"json" help:"Print JSON."`
}

// Run lists deliveries.
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
	if _, err := store.Account(ctx, c.Account); err != nil {
		return err
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", d.ID, timeText(&d.CreatedAt), d.Kind, d.WebhookID, stateText(d),
			d.Attempts, timeText(d.NextAttempt), lastText(attempts[d.ID]))
	}
	return w.Flush()
}

// stateText shows a state with its reason.
func stateText(d *models.Delivery) string {
	if d.Reason != nil {
		return string(d.State) + " (" + string(*d.Reason) + ")"
	}
	return string(d.State)
}

// lastText says what came of the last attempt.
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

type deliveriesReplayCmd struct {
	Account string   `required:"" help:"Id of the account."`
	ID      string   `xor:"what" required:"" help:"Only this delivery."`
	Webhook string   `xor:"what" required:"" help:"All deliveries to this registration, as the other flags say."`
	From    moment   `help:"Only those made at or after this time (RFC 3339 or YYYY-MM-DD)."`
	To      moment   `help:"Only those made before this time."`
	State   []string `default:"dropped" help:"dropped, delivered or both. Default ${default}."`
	DryRun  bool     `help:"Only say how many it would be."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

// Run begins deliveries anew.
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
		_, err = store.Delivery(ctx, c.Account, c.ID)
	default:
		_, err = store.Redeliver(ctx, c.Account, c.ID)
	}
	if err != nil {
		return err
	}
	if !c.DryRun {
		action, subject := "deliveries sent again", strings.TrimSpace(strconv.Itoa(count)+" "+c.Webhook)
		if c.ID != "" {
			action, subject = "delivery sent again", c.ID
		}
		if err := recordBy(ctx, store, c.Account, action, subject); err != nil {
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

// moment is a time on the command line; the zero one is none.
type moment time.Time

// UnmarshalText reads RFC 3339, or a day that begins at midnight UTC.
func (m *moment) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			*m = moment(t)
			return nil
		}
	}
	return fmt.Errorf("%.40q is not a time like 2026-03-08T06:30:00Z or 2026-03-08", text)
}

// time returns the moment; nil when the flag was not given.
func (m moment) time() *time.Time {
	t := time.Time(m)
	if t.IsZero() {
		return nil
	}
	return &t
}
