package notifier

import (
	"net/http"
	"time"

	"rollcall/models"
)

// Reasons for disabling an endpoint, as its body on /v1 and the dashboard show them.
const (
	DisabledGone    = "the endpoint answered 410 Gone to the last attempt of a delivery"
	DisabledFailing = "every attempt of the last five days failed"
	DisabledBounced = "the recipient's mail server refused the last mails for good; the log of deliveries has its answers"
)

// An endpoint is disabled when so many mails in a row were refused for good, and mails have failed for so long: one bad
// minute of its server ends nothing.
const (
	maxBounces     = 3
	bouncePatience = 24 * time.Hour
)

// Health is what an endpoint's row remembers of its attempts.
type Health struct {
	// FailingSince is the end of the first failure since the last success; nil while it works.
	FailingSince *time.Time
	// Bounces counts the mails that were refused for good since the last one that was taken.
	Bounces int
}

// After returns the health once attempt a is over and its delivery stands at p, and the reason to disable the
// endpoint now, or "". There are two reasons for a webhook (DECISIONS.md, "Webhooks"). A delivery used up its attempts and
// the last was answered 410, so that one stray 410 disables nothing. Or five days have brought nothing but
// failures. One by e-mail is disabled after maxBounces in bouncePatience too. An endpoint that is enabled by hand begins with a zero Health.
func (h Health) After(a Attempt, p Progress) (next Health, disable string) {
	if a.Delivered() {
		return Health{}, ""
	}
	if h.FailingSince == nil {
		end := a.End()
		h.FailingSince = &end
	}
	if a.Class == ClassBounce {
		h.Bounces++
	}
	switch {
	case h.Bounces >= maxBounces && a.End().Sub(*h.FailingSince) >= bouncePatience:
		return h, DisabledBounced
	case a.Status == http.StatusGone && p.State == models.DeliveryDropped && p.Reason == models.DropExhausted:
		return h, DisabledGone
	case a.End().Sub(*h.FailingSince) >= models.WebhookPatience:
		return h, DisabledFailing
	}
	return h, ""
}
