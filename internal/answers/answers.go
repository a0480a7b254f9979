// Package answers is the response cache (docs/decisions/0004-response-cache.md): it keeps whole answers as long
// as the records that they show have not changed. It knows neither what was asked nor how an answer is made:
// REST and GraphQL use keys of their own, which include everything that an answer depends on.
package answers

import (
	"slices"

	"rollcall/internal/lru"
	"rollcall/models"
)

// Views is where the current state of the records is read; *store.Store has it. ok is false while changes are
// not followed, and nothing is cached then.
type Views interface {
	View() (v models.View, ok bool)
}

// Moment is the state of the records for which an answer holds, as far as the families go that it shows.
type Moment struct {
	view  models.View
	known bool
}

// Cache keeps answers of type A. A nil Cache keeps nothing. It is safe for concurrent use.
type Cache[A any] struct {
	views Views
	kept  *lru.Cache[string, kept[A]]
	use   *lru.Use
}

type kept[A any] struct {
	answer A
	moment Moment
}

// largest is the part of the budget that one answer may take: a sixteenth.
const largest = 16

// New returns a cache of at most budget bytes; weigh returns the bytes of an answer. A budget of 0 returns nil. What
// Find finds is counted in use; nil counts nothing.
func New[A any](budget int, views Views, use *lru.Use, weigh func(A) int) *Cache[A] {
	if budget == 0 {
		return nil
	}
	const overhead = 256 // of an entry, about
	return &Cache[A]{views: views, use: use, kept: lru.New(budget, budget/largest, func(key string, k kept[A]) int {
		return len(key) + weigh(k.answer) + overhead
	})}
}

// Find returns the answer kept under key, unless a family that it shows has changed. Otherwise the caller makes
// the answer after this call and passes it to Keep with the Moment. Reading the moment first is what makes the
// cache safe: a change in between ends the answer.
func (c *Cache[A]) Find(key string, shows ...models.Family) (answer A, ok bool, at Moment) {
	if c == nil {
		return answer, false, Moment{}
	}
	if at = c.moment(shows); at.known {
		if k, found := c.kept.Get(key); found && k.moment == at {
			c.use.Count(1, 0)
			return k.answer, true, at
		}
	}
	c.use.Count(0, 1)
	return answer, false, at
}

// Keep stores an answer that was made since at. The answer may be newer than at, never older, and is dropped
// with the next change either way.
func (c *Cache[A]) Keep(key string, at Moment, answer A) {
	if at.known {
		c.kept.Add(key, kept[A]{answer: answer, moment: at})
	}
}

// moment returns the present state for answers about some families. Bookings and corrections records are shown
// with their links. Cases are shown with their next hearing, which changes with the minute.
func (c *Cache[A]) moment(shows []models.Family) Moment {
	v, known := c.views.View()
	m := Moment{known: known}
	if slices.Contains(shows, models.Roster) {
		m.view.Roster, m.view.Links = v.Roster, v.Links
	}
	if slices.Contains(shows, models.Corrections) {
		m.view.Corrections, m.view.Links = v.Corrections, v.Links
	}
	if slices.Contains(shows, models.Courts) {
		m.view.Courts, m.view.Minute = v.Courts, v.Minute
	}
	return m
}
