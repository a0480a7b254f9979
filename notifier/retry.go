package notifier

import (
	"errors"
	"fmt"
	"time"
)

// State of a delivery (SPEC.md, "Webhook delivery lifecycle").
type State string

// The states. Pending has seen no attempt, Failed awaits its next one; Delivered and Dropped are final until someone asks
// for a redelivery.
const (
	Pending   State = "pending"
	Failed    State = "failed"
	Delivered State = "delivered"
	Dropped   State = "dropped"
)

// Reason is why a delivery was dropped.
type Reason string

// The reasons.
const (
	Exhausted Reason = "exhausted" // every attempt failed
	Cancelled Reason = "cancelled" // the watcher or registration was deleted
	Disabled  Reason = "disabled"  // the registration was disabled
)

// ErrUnderWay tells that a delivery is still being tried, so there is nothing to redeliver.
var ErrUnderWay = errors.New("the delivery is still under way")

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
	State    State
	Failures int       // failed attempts since the delivery, or its last redelivery, began
	Next     time.Time // when the next attempt is due; zero in a final state
	Reason   Reason    // set if and only if Dropped
}

// Begin is the progress of a new delivery, due at once.
func Begin(now time.Time) Progress { return Progress{State: Pending, Next: now} }

// Final says whether no attempt will follow.
func (p Progress) Final() bool { return p.State == Delivered || p.State == Dropped }

// Due says whether the next attempt may be made.
func (p Progress) Due(now time.Time) bool { return !p.Final() && !now.Before(p.Next) }

// After is the progress once attempt a is over. The next attempt is due the delay after the failure was known, and up to a
// tenth of it later, as jitter in [0, 1) says; never earlier. What arrives in a final state (the watcher was deleted while
// the request was on the wire) changes nothing.
func (r Retries) After(p Progress, a Attempt, jitter float64) Progress {
	switch {
	case p.Final():
		return p
	case a.Delivered():
		return Progress{State: Delivered, Failures: p.Failures}
	case p.Failures >= len(r):
		return Progress{State: Dropped, Failures: p.Failures + 1, Reason: Exhausted}
	}
	delay := r[p.Failures]
	extra := time.Duration(float64(delay) * maxJitter * min(max(jitter, 0), 1))
	return Progress{State: Failed, Failures: p.Failures + 1, Next: a.End().Add(delay + extra)}
}

// Drop ends a delivery before its time. A final one stays as it is.
func (p Progress) Drop(why Reason) Progress {
	if p.Final() {
		return p
	}
	return Progress{State: Dropped, Failures: p.Failures, Reason: why}
}

// Redeliver begins anew, with all attempts, what was dropped or delivered before. One under way gives ErrUnderWay.
func (p Progress) Redeliver(now time.Time) (Progress, error) {
	if !p.Final() {
		return p, fmt.Errorf("redeliver: %w", ErrUnderWay)
	}
	return Begin(now), nil
}
