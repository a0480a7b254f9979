package notifier

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rollcall/models"
)

// deliver makes one attempt at a claimed delivery. Until its turn comes it is only an id. What is sent, and
// whether it still may be, is read right before: a watcher that was deleted a second ago must not fire.
func (s *Sender) deliver(ctx, sending context.Context, c models.DeliveryClaim) {
	defer func() {
		s.held.done(c)
		if s.hungry.Load() {
			s.hear()
		}
	}()
	pass, err := s.lanes.Enter(ctx, c.WebhookID)
	if err != nil {
		s.giveBack(sending, c, err)
		return
	}
	p, a, err := s.attempt(sending, c)
	switch {
	case err != nil || len(p.all) == 0:
		pass.Leave(Unknown)
	case a.Delivered():
		pass.Leave(Took)
	default:
		pass.Leave(Refused)
	}
	switch {
	case err != nil && p.by != "":
		s.returnMail(sending, p, err)
	case err != nil:
		s.giveBack(sending, c, err)
	case p.by != "":
		s.settleMail(sending, p, a)
	case len(p.all) > 0:
		s.settle(sending, p.all[0], a)
	}
}

// parcel is what one attempt sends: a delivery, or those of a mail.
type parcel struct {
	all []*models.QueuedDelivery
	// Name of the lease of a mail; empty for a webhook, which this sender holds by its claim.
	by string
}

// attempt sends a delivery if it is still to be sent; otherwise the parcel is empty. A delivery that must not be
// sent any more is dropped with its reason.
func (s *Sender) attempt(ctx context.Context, c models.DeliveryClaim) (p parcel, a Attempt, err error) {
	d, err := s.loads.do(c.ID)
	if err != nil || d == nil {
		return p, a, err
	}
	if s.o.Mail != nil {
		return s.sendMail(ctx, c, d.Digest == models.DigestHour || d.Digest == models.DigestDay)
	}
	if d.Drop != "" {
		return p, a, s.o.Store.DropDeliveries(ctx, s.by, []string{d.ID}, d.Drop)
	}
	p.all = []*models.QueuedDelivery{d}
	a, err = s.post(ctx, d)
	return p, a, err
}

// post makes one attempt to send a webhook.
func (s *Sender) post(ctx context.Context, d *models.QueuedDelivery) (Attempt, error) {
	keys, err := s.keys(d)
	if err != nil {
		return Attempt{}, err
	}
	out := Delivery{URL: d.URL, EventID: d.MessageID, Body: d.Body, Keys: keys, Test: d.Test}
	if m := d.Match; m != nil {
		out.Match = &Match{Probability: m.Probability, Level: m.Level, Reasons: m.Reasons}
	}
	if d.Bin != nil {
		return s.fill(ctx, d, out)
	}
	return s.o.Client.Send(ctx, out)
}

// keys decrypts the secrets of the account.
func (s *Sender) keys(d *models.QueuedDelivery) (Keyring, error) {
	if d.Secret == nil {
		return Keyring{}, fmt.Errorf("account %s has no webhook secret", d.AccountID)
	}
	current, err := s.o.Seal.Open(d.Secret, d.AccountID)
	if err != nil || d.NextSecret == nil {
		return Keyring{Current: current}, err
	}
	next, err := s.o.Seal.Open(d.NextSecret, d.AccountID)
	return Keyring{Current: current, Next: next}, err
}

// giveBack lets others take a delivery of which no attempt was made. What the end of ctx stopped is free at
// once; a crowded endpoint rests for a second, and a delivery that cannot be sent for a minute.
func (s *Sender) giveBack(ctx context.Context, c models.DeliveryClaim, why error) {
	rest := time.Duration(0)
	switch {
	case errors.Is(why, context.Canceled):
	case errors.Is(why, ErrCrowded):
		rest = restShort
		s.held.rest(c.WebhookID, s.o.Now().Add(rest))
	case models.CodeOf(why) == models.CodeUnavailable:
		return // without the database the lease ends by itself
	default:
		rest = restLong
		s.o.Log.ErrorContext(ctx, "delivery not attempted", "delivery", c.ID, "webhook", c.WebhookID, "error", models.WithoutValues(why))
	}
	if err := s.o.Store.ReleaseDeliveries(ctx, s.by, []string{c.ID}, rest); err != nil {
		s.o.Log.WarnContext(ctx, "delivery not given back; its lease ends by itself", "delivery", c.ID, "error", models.WithoutValues(err))
	}
}

// load reads claimed deliveries, in the order of ids. It returns nil for those that this sender does not hold
// any more.
func (s *Sender) load(ctx context.Context, ids []string) ([]*models.QueuedDelivery, error) {
	found, err := s.o.Store.LoadDeliveries(ctx, s.by, ids)
	if err != nil {
		return nil, err
	}
	by := make(map[string]*models.QueuedDelivery, len(found))
	for _, d := range found {
		by[d.ID] = d
	}
	out := make([]*models.QueuedDelivery, len(ids))
	for i, id := range ids {
		out[i] = by[id]
	}
	return out, nil
}

// record is an attempt that is to be stored, with the delivery's state after it.
type record struct {
	delivery *models.QueuedDelivery
	attempt  Attempt
	after    Progress
	// True for all deliveries of a digest but the first: the mail counts once for its endpoint.
	part bool
}

// settle moves a delivery on by an attempt and stores both. If that fails, the attempt is made again when the
// lease ends: receivers recognise it by webhook-id.
func (s *Sender) settle(ctx context.Context, d *models.QueuedDelivery, a Attempt) {
	before := Progress{State: d.State, Failures: d.Failures, Next: d.Due}
	r := record{delivery: d, attempt: a, after: s.o.Retries.After(before, a, rand.Float64())}
	if _, err := s.records.do(r); err != nil {
		s.o.Log.ErrorContext(ctx, "attempt not recorded; it will be made again", "delivery", d.ID, "error", err)
		return
	}
	if !r.after.Final() {
		s.hear() // the next one may be due before the dispatcher looks again
	}
	s.o.Observe(Sent{Attempt: a, State: r.after.State, Test: d.Test, Late: a.At.Sub(d.Due), Age: a.End().Sub(d.CreatedAt)})
}

// recordAll stores attempts at deliveries that by leased. While the database is away it keeps trying: what was sent must not be forgotten,
// or it is sent again.
func (s *Sender) recordAll(ctx context.Context, by string, all []record) error {
	wait := newTroubled()
	for {
		err := s.recordOnce(ctx, by, all)
		switch {
		case err == nil:
			wait.reset(ctx, s.o.Log, "attempts are recorded again")
			return nil
		case ctx.Err() != nil:
			return err
		case models.CodeOf(err) == models.CodeUnavailable:
			wait.after(ctx, s.o.Log, "attempts cannot be recorded", err)
		case len(all) > 1: // one record may be at fault; the others must not fail with it
			for _, r := range all {
				err = errors.Join(err, s.recordAll(ctx, by, []record{r}))
			}
			return err
		default:
			return err
		}
	}
}

// recordOnce stores attempts in one transaction, with what they say about their endpoints.
func (s *Sender) recordOnce(ctx context.Context, by string, all []record) error {
	results := make([]models.DeliveryResult, len(all))
	for i, r := range all {
		results[i] = r.result()
	}
	disabled, err := s.o.Store.RecordAttempts(ctx, by, results, health(all))
	for _, id := range disabled {
		s.lanes.Forget(id)
		s.o.Log.WarnContext(ctx, "webhook disabled", "webhook", id)
	}
	return err
}

// result returns the record as the store takes it.
func (r record) result() models.DeliveryResult {
	a := r.attempt
	out := models.DeliveryResult{
		ID: r.delivery.ID, Round: r.delivery.Round, State: r.after.State, Reason: r.after.Reason,
		Failures: r.after.Failures,
		Attempt:  models.Attempt{At: a.At.UTC(), LatencyMS: int(a.Latency.Milliseconds()), Class: string(a.Class)},
	}
	if !r.after.Next.IsZero() {
		next := r.after.Next.UTC()
		out.Next = &next
	}
	if a.Status != 0 {
		out.Attempt.Status, out.Attempt.Answer = &a.Status, &a.Answer
	}
	if a.Err != "" {
		out.Attempt.Error = &a.Err
	}
	return out
}

// health folds attempts into what they say about their endpoints, in the order in which they ended. Tests say
// nothing.
func health(all []record) []models.WebhookHealth {
	inTime := slices.SortedFunc(slices.Values(all), func(a, b record) int { return a.attempt.End().Compare(b.attempt.End()) })
	var out []models.WebhookHealth
	at := map[string]int{}
	for _, r := range inTime {
		d := r.delivery
		if d.Test || r.part {
			continue
		}
		i, ok := at[d.WebhookID]
		if !ok {
			i = len(out)
			at[d.WebhookID] = i
			out = append(out, models.WebhookHealth{ID: d.WebhookID, FailingSince: d.FailingSince, Bounces: d.Bounces})
		}
		next, disable := (Health{FailingSince: out[i].FailingSince, Bounces: out[i].Bounces}).After(r.attempt, r.after)
		out[i].Worked = out[i].Worked || r.attempt.Delivered()
		out[i].FailingSince, out[i].Bounces = next.FailingSince, next.Bounces
		if disable != "" || r.attempt.Delivered() {
			out[i].Disable = disable
		}
	}
	return out
}
