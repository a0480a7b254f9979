package notifier

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	math "math/rand/v2"
	"slices"
	"time"

	"rollcall/models"
)

const (
	// mailsAtOnce bounds the mails on the wire of one process: few servers take many connections of one client.
	mailsAtOnce = 16
	// digestMost bounds the deliveries of one mail.
	digestMost = 200
	// mailLease is how long deliveries belong to their mail: longer than an attempt and its recording may take.
	mailLease = 2 * time.Minute
)

// Mailer sends deliveries to one e-mail address as one mail (package notifier/mail). The answer is like that of
// Client.Send: an error means that there was no attempt.
type Mailer interface {
	Send(ctx context.Context, all []*models.QueuedDelivery) (Attempt, error)
}

// way returns the way of the deliveries that the sender takes.
func (s *Sender) way() models.Way {
	if s.o.Mail != nil {
		return models.ByEmail
	}
	return models.ByWebhook
}

// sendMail sends the delivery of a claim as one mail, or all that is due of its endpoint as a digest. The lease of the mail
// replaces that of the claim. So of several claims and processes one sends a delivery, also while its owner changes
// to a digest. Each delivery is read right before: what is withheld or cancelled by now is dropped and not in the mail.
func (s *Sender) sendMail(ctx context.Context, c models.DeliveryClaim, digest bool) (p parcel, a Attempt, err error) {
	only := c.ID
	if digest {
		only = ""
	}
	by, ids, err := s.o.Store.GatherMail(ctx, rand.Text(), c.WebhookID, only, mailLease, digestMost)
	if err != nil || len(ids) == 0 {
		return p, a, err
	}
	found, err := s.o.Store.LoadDeliveries(ctx, by, ids)
	if err != nil {
		return p, a, err // the lease ends by itself
	}
	dropped := map[models.DropReason][]string{}
	for _, d := range found {
		if d.Drop != "" {
			dropped[d.Drop] = append(dropped[d.Drop], d.ID)
		} else {
			p.all = append(p.all, d)
		}
	}
	p.by = by
	for why, ids := range dropped {
		err = errors.Join(err, s.o.Store.DropDeliveries(ctx, by, ids, why))
	}
	if err != nil || len(p.all) == 0 {
		return p, a, err
	}
	slices.SortFunc(p.all, func(a, b *models.QueuedDelivery) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	a, err = s.o.Mail.Send(ctx, p.all)
	if n := len(p.all); n > 1 {
		a.Answer = fmt.Sprintf("one mail of %d events. %s", n, a.Answer)
	}
	return p, a, err
}

// settleMail moves the deliveries of a mail on by the attempt of their mail. They stay together: a retry of
// all is due at one moment.
func (s *Sender) settleMail(ctx context.Context, p parcel, a Attempt) {
	if len(p.all) == 0 {
		return
	}
	jitter := math.Float64()
	all := make([]record, len(p.all))
	for i, d := range p.all {
		before := Progress{State: d.State, Failures: d.Failures, Next: d.Due}
		all[i] = record{delivery: d, attempt: a, after: s.o.Retries.After(before, a, jitter), part: i > 0}
	}
	if err := s.recordAll(ctx, p.by, all); err != nil {
		s.o.Log.ErrorContext(ctx, "mail not recorded; it will be sent again", "webhook", p.all[0].WebhookID, "deliveries", len(all), "error", models.WithoutValues(err))
		return
	}
	s.hear()
	for _, r := range all {
		d := r.delivery
		s.o.Observe(Sent{Attempt: a, State: r.after.State, Test: d.Test, Late: a.At.Sub(d.Due), Age: a.End().Sub(d.CreatedAt)})
	}
}

// returnMail gives the deliveries of a mail back of which no attempt was made.
func (s *Sender) returnMail(ctx context.Context, p parcel, why error) {
	rest := time.Duration(0)
	if !errors.Is(why, context.Canceled) {
		rest = restLong
		s.o.Log.ErrorContext(ctx, "mail not attempted", "deliveries", len(p.all), "error", models.WithoutValues(why))
	}
	ids := make([]string, len(p.all))
	for i, d := range p.all {
		ids[i] = d.ID
	}
	if err := s.o.Store.ReleaseDeliveries(ctx, p.by, ids, rest); err != nil {
		s.o.Log.WarnContext(ctx, "mail not given back; its lease ends by itself", "deliveries", len(ids), "error", err)
	}
}
