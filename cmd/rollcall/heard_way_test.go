package main

import (
	"slices"
	"sync"
)

// heard is what arrived by one way: how often each event did, by its kind, the watched name and the bond.
type heard struct {
	mu    sync.Mutex
	times map[string]int // of a message, by its id
	said  []string
}

func newHeard() *heard { return &heard{times: map[string]int{}} }

// add notes a message. One that came before is counted and not said again.
func (h *heard) add(id, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.times[id]++; h.times[id] == 1 {
		h.said = append(h.said, what)
	}
}

func (h *heard) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.said)
}

// twice lists the messages that came more than once.
func (h *heard) twice() (ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, n := range h.times {
		if n > 1 {
			ids = append(ids, id)
		}
	}
	return ids
}
