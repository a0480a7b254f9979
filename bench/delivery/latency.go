package delivery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rollcall/internal/machine"
	"rollcall/models"
	"rollcall/notifier"
)

// subscribe makes an account with so many endpoints, of which one in hangs never answers; 0 means that all
// answer.
func (b *Bench) subscribe(ctx context.Context, registrations, hangs int) (account string, err error) {
	a := &models.Account{Name: "Bench", Email: fmt.Sprintf("bench%d@rollcall.example", time.Now().UnixNano()), Plan: models.Enterprise}
	if err := b.Store.CreateAccount(ctx, a); err != nil {
		return "", err
	}
	// All endpoints of an account share its secret.
	secret := notifier.NewSecret()
	b.receiver.trust(a.ID, secret)
	for i := range registrations {
		path := hook
		if hangs > 0 && i%hangs == 0 {
			path = hang
		}
		url := fmt.Sprintf("%s%s%s/%d", b.receiver.url, path, a.ID, i)
		_, err := b.Store.CreateWebhook(ctx, a.ID, &models.NewWebhook{URL: url, Events: models.EventKinds()}, b.Secrets.Seal.Seal(secret, a.ID))
		if err != nil {
			return "", err
		}
	}
	return a.ID, nil
}

// latency adds a figure of how long it took what came, from the detection of each event. n is how many should
// have come.
func (b *Bench) latency(ctx context.Context, what string, n int, cpu float64, accounts ...string) error {
	var took, made, started []time.Duration
	// What came is emptied here, so that the next measurement counts its own.
	came := b.receiver.take()
	for _, account := range accounts {
		detected, err := b.detected(ctx, account)
		if err != nil {
			return err
		}
		for at, when := range came {
			if from, ok := detected[at.event]; ok {
				took = append(took, when.Sub(from))
			}
		}
		err = b.attempts(ctx, account, func(d *models.Delivery, first *models.Attempt) {
			if from, ok := detected[d.MessageID]; ok {
				// The first attempt counts: a repetition would hide that it was late.
				made, started = append(made, d.CreatedAt.Sub(from)), append(started, first.At.Sub(from))
			}
		})
		if err != nil {
			return err
		}
	}
	b.add(Figure{
		What: what, Deliveries: len(took), P50: quantileMS(took, .5), P99: quantileMS(took, .99), Made: quantileMS(made, .5), Started: quantileMS(started, .5),
		Missing: n - len(took), CPU: cpu,
	})
	return nil
}

// detected returns when each event of an account was detected, by event id.
func (b *Bench) detected(ctx context.Context, account string) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	// Events are numbered within an account, so reading on needs only the last number.
	for seq := int64(0); ; {
		events, err := b.Store.EventsAfter(ctx, account, seq, 1000)
		if err != nil || len(events) == 0 {
			return out, err
		}
		for _, e := range events {
			out[e.ID], seq = e.At, e.Seq
		}
	}
}

// attempts yields every delivery of an account that was delivered, with its first attempt.
func (b *Bench) attempts(ctx context.Context, account string, yield func(*models.Delivery, *models.Attempt)) error {
	state := models.DeliveryDelivered
	// The list of deliveries has pages; a cursor of the last page leads to the next.
	for after := ""; ; {
		page, err := b.Store.Deliveries(ctx, account, models.DeliveryFilter{State: &state}, models.Page{Limit: models.MaxLimit, After: after})
		if err != nil {
			return err
		}
		ids := make([]string, len(page.Deliveries))
		for i, d := range page.Deliveries {
			ids[i] = d.ID
		}
		attempts, err := b.Store.AttemptsOf(ctx, ids)
		if err != nil {
			return err
		}
		for _, d := range page.Deliveries {
			yield(d, attempts[d.ID][0])
		}
		if !page.PageInfo.HasNextPage {
			return nil
		}
		cursor, err := page.PageInfo.EndCursor()
		if err != nil {
			return err
		}
		after = *cursor
	}
}

// quantileMS returns a quantile in milliseconds, or nil for an empty list. It sorts the list.
func quantileMS(d []time.Duration, q float64) *float64 {
	if len(d) == 0 {
		return nil
	}
	slices.Sort(d)
	ms := float64(d[int(float64(len(d)-1)*q)]) / 1e6
	return &ms
}

// add appends a figure with the load of this moment.
func (b *Bench) add(f Figure) {
	f.Load = machine.LoadAverage()
	b.figures = append(b.figures, f)
	b.say("measured: %s", f.What)
}

// say prints a line of progress.
func (b *Bench) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.Progress, format+"\n", args...)
}
