package notifier

import (
	"net/http"
	"time"

	"rollcall/models"
)

// Why a registration was disabled: what its body and the dashboard show.
const (
	DisabledGone    = "the endpoint answered 410 Gone to the last attempt of a delivery"
	DisabledFailing = "every attempt of the last five days failed"
)

// Health is what a registration's row remembers of its attempts.
type Health struct {
	FailingSince *time.Time // the first failure since the last success; nil while it works
}

// After is the health once attempt a is over and its delivery stands at p, and why the registration is to be disabled now,
// or "". That is when a delivery was exhausted by an attempt that was answered 410 (so one stray 410 disables nothing), or
// when five days have held nothing but failures (DECISIONS.md, "Webhooks"). Enabling it by hand begins with a zero Health.
func (h Health) After(a Attempt, p Progress) (next Health, disable string) {
	if a.Delivered() {
		return Health{}, ""
	}
	if h.FailingSince == nil {
		end := a.End()
		h.FailingSince = &end
	}
	switch {
	case a.Status == http.StatusGone && p.State == models.DeliveryDropped && p.Reason == models.DropExhausted:
		return h, DisabledGone
	case a.End().Sub(*h.FailingSince) >= models.WebhookPatience:
		return h, DisabledFailing
	}
	return h, ""
}
