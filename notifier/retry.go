package notifier

import (
	"time"

	"rollcall/models"
)

// maxJitter is the largest part of a delay that is added to it, so that deliveries which failed at one moment
// do not come again as one.
const maxJitter = 0.10

// Retries are the delays after the first, second, ... failed attempt. When they are used up, the delivery is
// dropped. StandardRetries are those of the contract; shorter ones are for a trial run.
type Retries []time.Duration

// StandardRetries returns those of SPEC.md: about 30 s, 5 min and 30 min after the previous failure, four
// attempts in all.
func StandardRetries() Retries {
	return Retries{30 * time.Second, 5 * time.Minute, 30 * time.Minute}
}

// Progress is where a delivery stands, as its row stores it. It moves by recorded outcomes only: an attempt
// that a crash interrupts leaves no outcome, so it is made again and is not counted.
type Progress struct {
	// State is one of SPEC.md, "Webhook delivery lifecycle".
	State models.DeliveryState
	// Failures counts failed attempts since the delivery, or its last redelivery, began.
	Failures int
	// Next is when the next attempt is due; zero in a final state.
	Next time.Time
	// Reason is set if and only if State is DeliveryDropped.
	Reason models.DropReason
}

// Final reports whether no attempt will follow.
func (p Progress) Final() bool {
	return p.State == models.DeliveryDelivered || p.State == models.DeliveryDropped
}

// After returns the progress once attempt a is over. The next attempt is due the delay after the failure was
// known, and up to a tenth of it later, as jitter in [0, 1) says; never earlier. A bounce is final at once. In a
// final state nothing changes: the watcher may have been deleted while the request was on the wire.
func (r Retries) After(p Progress, a Attempt, jitter float64) Progress {
	switch {
	case p.Final():
		return p
	case a.Delivered():
		return Progress{State: models.DeliveryDelivered, Failures: p.Failures}
	case a.Class == ClassBounce:
		return Progress{State: models.DeliveryDropped, Failures: p.Failures + 1, Reason: models.DropBounced}
	case p.Failures >= len(r):
		return Progress{State: models.DeliveryDropped, Failures: p.Failures + 1, Reason: models.DropExhausted}
	}
	delay := r[p.Failures]
	extra := time.Duration(float64(delay) * maxJitter * min(max(jitter, 0), 1))
	return Progress{State: models.DeliveryFailed, Failures: p.Failures + 1, Next: a.End().Add(delay + extra)}
}
