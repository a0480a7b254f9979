package notifier

import (
	"time"

	"rollcall/models"
)

// maxJitter is the largest part of a delay that is added to it, so that failures at one moment do not return as one.
const maxJitter = 0.10

// Retries is the clock of a delivery: the delays after the first, second, ... failed attempt. When they are used up it is
// dropped. Make it with StandardRetries, or shorter for a trial run.
type Retries []time.Duration

// StandardRetries are those of SPEC.md: about 30 s, 5 min and 30 min after the previous failure, four attempts in all.
func StandardRetries() Retries {
	return Retries{30 * time.Second, 5 * time.Minute, 30 * time.Minute}
}

// Progress is where a delivery stands; it is stored in its row. It moves by recorded outcomes only: an attempt that a crash
// interrupts leaves no outcome, so it is made again and costs nothing.
type Progress struct {
	State    models.DeliveryState
	Failures int               // failed attempts since the delivery, or its last redelivery, began
	Next     time.Time         // when the next attempt is due; zero in a final state
	Reason   models.DropReason // set if and only if Dropped
}

// Final says whether no attempt will follow.
func (p Progress) Final() bool {
	return p.State == models.DeliveryDelivered || p.State == models.DeliveryDropped
}

// After is the progress once attempt a is over. The next attempt is due the delay after the failure was known, and up to a
// tenth of it later, as jitter in [0, 1) says; never earlier. What arrives in a final state (the watcher was deleted while
// the request was on the wire) changes nothing.
func (r Retries) After(p Progress, a Attempt, jitter float64) Progress {
	switch {
	case p.Final():
		return p
	case a.Delivered():
		return Progress{State: models.DeliveryDelivered, Failures: p.Failures}
	case p.Failures >= len(r):
		return Progress{State: models.DeliveryDropped, Failures: p.Failures + 1, Reason: models.DropExhausted}
	}
	delay := r[p.Failures]
	extra := time.Duration(float64(delay) * maxJitter * min(max(jitter, 0), 1))
	return Progress{State: models.DeliveryFailed, Failures: p.Failures + 1, Next: a.End().Add(delay + extra)}
}
