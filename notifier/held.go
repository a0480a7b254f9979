package notifier

import (
	"sync"
	"time"

	"rollcall/models"
)

// Bounds on what a process holds, so that no endpoint fills it. Attempts are quick where an endpoint works;
// elsewhere many deliveries would wait here instead of in the database, where another process could take them.
const (
	holdTotal    = 2048 // deliveries
	holdEndpoint = 128  // of one endpoint that works
	holdSuspect  = 16   // of one whose last attempt failed
	holdSuspects = 512  // of all of those together
)

// held is the set of deliveries that this process has taken and not finished. It is safe for concurrent use.
type held struct {
	mu sync.Mutex
	// When each was taken, by delivery.
	since map[string]time.Time
	// Number of deliveries, by endpoint.
	webhooks map[string]int
	// Endpoints that get nothing before a time.
	resting map[string]time.Time
}

// newHeld returns an empty set.
func newHeld() *held {
	return &held{since: map[string]time.Time{}, webhooks: map[string]int{}, resting: map[string]time.Time{}}
}

// take adds a claim. It returns false for one that is held already: its lease ran out while the database was
// away, and this process claimed it again.
func (h *held) take(c models.DeliveryClaim, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.since[c.ID]; ok {
		return false
	}
	h.since[c.ID] = now
	h.webhooks[c.WebhookID]++
	return true
}

// done removes a claim.
func (h *held) done(c models.DeliveryClaim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.since, c.ID)
	if h.webhooks[c.WebhookID]--; h.webhooks[c.WebhookID] == 0 {
		delete(h.webhooks, c.WebhookID)
	}
}

// rest keeps an endpoint from getting deliveries until then.
func (h *held) rest(webhookID string, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resting[webhookID] = until
}

// room returns how many more deliveries may be taken, and which endpoints get none. suspects are those whose
// last attempt failed; together they get a bounded part, so that dead endpoints cannot fill this process.
func (h *held) room(suspects map[string]bool, now time.Time) (most int, full []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ill := 0
	for id, n := range h.webhooks {
		if suspects[id] {
			ill += n
		}
		if n >= holdEndpoint || (suspects[id] && n >= holdSuspect) {
			full = append(full, id)
		}
	}
	if ill >= holdSuspects {
		full = full[:0]
		for id := range suspects {
			full = append(full, id)
		}
		for id, n := range h.webhooks {
			if n >= holdEndpoint && !suspects[id] {
				full = append(full, id)
			}
		}
	}
	for id, until := range h.resting {
		if now.Before(until) {
			full = append(full, id)
		} else {
			delete(h.resting, id)
		}
	}
	return holdTotal - len(h.since), full
}

// old returns the ids of deliveries that have been held since before then.
func (h *held) old(then time.Time) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ids []string
	for id, at := range h.since {
		if at.Before(then) {
			ids = append(ids, id)
		}
	}
	return ids
}
