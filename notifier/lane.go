package notifier

import "container/list"

// class of a lane: sound when its last attempt was taken or it is new, suspect when it failed.
type class int

const (
	sound class = iota
	suspect
)

// lane is the state of one endpoint in this process.
type lane struct {
	endpoint string
	// Attempts that may run at once.
	width int
	class class
	// Attempts under way.
	busy int
	// Of *waiter, longest waiting first.
	waiters list.List
	// Place in the turns of its class; nil when the lane can use none.
	turn *list.Element
}

// waiter is a delivery that waits for a place.
type waiter struct {
	class   class
	ready   chan *Pass
	granted bool
}

// lane returns the lane of an endpoint. A new one is sound and at full width.
func (l *Lanes) lane(endpoint string) *lane {
	at, ok := l.lanes[endpoint]
	if !ok {
		at = &lane{endpoint: endpoint, width: l.o.Endpoint}
		l.lanes[endpoint] = at
	}
	return at
}

// queue puts a lane behind the others of its class if it can use a turn.
func (l *Lanes) queue(at *lane) {
	if at.turn == nil && at.waiters.Len() > 0 && at.busy < at.width {
		at.turn = l.turns[at.class].PushBack(at)
	}
}

// change sets the width and class of a lane. The caller queues it again.
func (l *Lanes) change(at *lane, width int, c class) {
	if at.turn != nil && at.class != c {
		l.turns[at.class].Remove(at.turn)
		at.turn = nil
	}
	at.width, at.class = width, c
}

// grant hands out places while there are some: one to the lane whose turn it is, which then goes to the end.
func (l *Lanes) grant() {
	for l.busy[sound]+l.busy[suspect] < l.o.Total {
		at := l.next()
		if at == nil {
			return
		}
		w, ok := at.waiters.Remove(at.waiters.Front()).(*waiter)
		if !ok {
			return // the list holds nothing else
		}
		w.granted = true
		l.waiting[w.class]--
		at.busy++
		l.busy[at.class]++
		w.ready <- &Pass{lanes: l, lane: at, class: at.class}
		l.queue(at)
	}
}

// next removes the lane whose turn it is from the queues and returns it; nil when none may have one. The
// classes alternate, and suspects fill at most half of Total. A lane whose waiters left, or whose room is gone
// since it was queued, loses its turn.
func (l *Lanes) next() *lane {
	for {
		c := sound
		if l.last == sound {
			c = suspect
		}
		if l.turns[c].Len() == 0 || (c == suspect && l.busy[suspect] >= l.half()) {
			c = sound + suspect - c
		}
		if l.turns[c].Len() == 0 || (c == suspect && l.busy[suspect] >= l.half()) {
			return nil
		}
		at, ok := l.turns[c].Remove(l.turns[c].Front()).(*lane)
		if !ok {
			return nil // the list holds nothing else
		}
		at.turn = nil
		if at.waiters.Len() > 0 && at.busy < at.width {
			l.last = c
			return at
		}
		l.forget(at)
	}
}

// half returns what all suspect lanes together may have, of places and of waiting.
func (l *Lanes) half() int { return max(l.o.Total/2, 1) }

// forget frees a lane that holds nothing worth knowing, so that memory follows the endpoints in use.
func (l *Lanes) forget(at *lane) {
	idle := at.busy == 0 && at.waiters.Len() == 0 && at.turn == nil
	if idle && at.class == sound && at.width == l.o.Endpoint && l.lanes[at.endpoint] == at {
		delete(l.lanes, at.endpoint)
	}
}

// suspects returns the endpoints whose last attempt failed.
func (l *Lanes) suspects() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string]bool{}
	for id, at := range l.lanes {
		if at.class == suspect {
			out[id] = true
		}
	}
	return out
}
