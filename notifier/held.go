package notifier

import (
	"sync"
	"time"

	"rollcall/models"
)

// Bounds on what a process holds, so that no endpoint fills it: attempts are quick where an endpoint is well, and many
// waiting ones elsewhere would only wait here instead of in the database.
const (
	holdTotal    = 2048 // deliveries
	holdEndpoint = 128  // of one endpoint that works
	holdSuspect  = 16   // of one whose last attempt failed
	holdSuspects = 512  // of all of those together
)

// held are the deliveries that this process has taken and not finished. Safe for concurrent use.
type held struct {
	mu       sync.Mutex
	since    map[string]time.Time // by delivery
	webhooks map[string]int       // deliveries, by webhook
	resting  map[string]time.Time // webhooks that get nothing before
}

func newHeld() *held {
	return &held{since: map[string]time.Time{}, webhooks: map[string]int{}, resting: map[string]time.Time{}}
}

// take keeps a claim. It says no for one that is held already: its lease ran out while the database was away.
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

// done lets a claim go.
func (h *held) done(c models.DeliveryClaim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.since, c.ID)
	if h.webhooks[c.WebhookID]--; h.webhooks[c.WebhookID] == 0 {
		delete(h.webhooks, c.WebhookID)
	}
}

// rest keeps a webhook from getting deliveries until then.
func (h *held) rest(webhookID string, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resting[webhookID] = until
}

// room says how many more deliveries may be taken, and of which webhooks none. suspects are those whose last attempt
// failed.
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

// old are the deliveries that are held since before then.
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
