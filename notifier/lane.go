package notifier

import "container/list"

// class of a lane: sound when its last attempt was taken or it is new, suspect when it failed.
type class int

const (
	sound class = iota
	suspect
)

type lane struct {
	endpoint string
	width    int
	class    class
	busy     int
	waiters  list.List     // of *waiter, longest waiting first
	turn     *list.Element // in the turns of its class; nil when it can use none
}

type waiter struct {
	class   class
	ready   chan *Pass
	granted bool
}

func (l *Lanes) lane(endpoint string) *lane {
	at, ok := l.lanes[endpoint]
	if !ok {
		at = &lane{endpoint: endpoint, width: l.o.Endpoint}
		l.lanes[endpoint] = at
	}
	return at
}

// queue puts a lane behind the others of its class when it can use a turn.
func (l *Lanes) queue(at *lane) {
	if at.turn == nil && at.waiters.Len() > 0 && at.busy < at.width {
		at.turn = l.turns[at.class].PushBack(at)
	}
}

// change gives a lane its new width and class. The caller queues it again.
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

// next takes the lane whose turn it is out of the queues: the classes alternate, and suspects fill at most half of Total.
// A lane whose waiters left or whose room is gone since it was queued loses its turn.
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

// half is what lanes that last failed share, of places and of waiting.
func (l *Lanes) half() int { return max(l.o.Total/2, 1) }

// forget frees a lane that holds nothing worth knowing, so that memory follows the endpoints in use.
func (l *Lanes) forget(at *lane) {
	idle := at.busy == 0 && at.waiters.Len() == 0 && at.turn == nil
	if idle && at.class == sound && at.width == l.o.Endpoint && l.lanes[at.endpoint] == at {
		delete(l.lanes, at.endpoint)
	}
}

// suspects are the endpoints whose last attempt failed.
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
