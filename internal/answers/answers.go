// Package answers keeps whole answers for as long as the records that they show have not changed. It
// knows neither what was asked nor how an answer is made: REST and GraphQL keep theirs by keys of their own.
package answers

import (
	"slices"
	"sync/atomic"

	"rollcall/internal/lru"
	"rollcall/models"
)

// Views tells the current state of the records; *store.Store does.
type Views interface {
	View() (v models.View, ok bool)
}

// Moment is what an answer's worth depends on: the view, as far as the families go that it shows.
type Moment struct {
	view  models.View
	known bool
}

// Cache keeps answers of type A. Nil keeps nothing. Safe for concurrent use.
type Cache[A any] struct {
	views        Views
	kept         *lru.Cache[string, kept[A]]
	hits, misses atomic.Int64
}

type kept[A any] struct {
	answer A
	moment Moment
}

// largest is the part of the budget that one answer may take.
const largest = 16

// New makes a cache of at most budget bytes; weigh tells the bytes of an answer. A budget of 0 gives nil.
func New[A any](budget int, views Views, weigh func(A) int) *Cache[A] {
	if budget == 0 {
		return nil
	}
	const overhead = 256 // of an entry, about
	return &Cache[A]{views: views, kept: lru.New(budget, budget/largest, func(key string, k kept[A]) int {
		return len(key) + weigh(k.answer) + overhead
	})}
}

// Find gives the answer kept under key, unless a family of those that it shows has changed. Else the
// moment is to be passed to Keep with the answer made after this call.
func (c *Cache[A]) Find(key string, shows ...models.Family) (answer A, ok bool, at Moment) {
	if c == nil {
		return answer, false, Moment{}
	}
	if at = c.moment(shows); at.known {
		if k, found := c.kept.Get(key); found && k.moment == at {
			c.hits.Add(1)
			return k.answer, true, at
		}
	}
	c.misses.Add(1)
	return answer, false, at
}

// Keep keeps an answer that was made since at. It may be newer than at tells, never older, and is
// forgotten with the next change either way.
func (c *Cache[A]) Keep(key string, at Moment, answer A) {
	if at.known {
		c.kept.Add(key, kept[A]{answer: answer, moment: at})
	}
}

// Counts are the calls of Find that gave an answer, and those that did not.
func (c *Cache[A]) Counts() (hits, misses int64) {
	if c == nil {
		return 0, 0
	}
	return c.hits.Load(), c.misses.Load()
}

// moment is now, as far as answers about some families are concerned. Bookings and corrections records
// are shown with their links, cases with their next hearing.
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
