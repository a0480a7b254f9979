// Package lru keeps the values used last within a budget of memory. It does not know what they are
// worth or when they go stale: whoever asks decides.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values used last, as long as their weights stay within a budget. Safe for concurrent use.
type Cache[V any] struct {
	budget int // of all weights together
	most   int // weight of one value; heavier ones are not kept
	weigh  func(key string, v V) int

	mu     sync.Mutex
	weight int
	order  *list.List // of *kept[V], used last in front
	byKey  map[string]*list.Element
}

type kept[V any] struct {
	key    string
	value  V
	weight int
}

// New makes a cache whose values weigh at most budget together and most each, in the unit of weigh.
func New[V any](budget, most int, weigh func(key string, v V) int) *Cache[V] {
	return &Cache[V]{budget: budget, most: most, weigh: weigh, order: list.New(), byKey: map[string]*list.Element{}}
}

// Get gives the value of key, if it is kept.
func (c *Cache[V]) Get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return entry[V](e).value, true
}

// Add keeps value under key in place of what is there, and forgets what was used longest ago when
// that is too much.
func (c *Cache[V]) Add(key string, value V) {
	w := c.weigh(key, value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byKey[key]; old != nil {
		c.forget(old)
	}
	if w > c.most {
		return
	}
	c.byKey[key] = c.order.PushFront(&kept[V]{key: key, value: value, weight: w})
	for c.weight += w; c.weight > c.budget; {
		c.forget(c.order.Back())
	}
}

// Weight is that of all values kept.
func (c *Cache[V]) Weight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.weight
}

func (c *Cache[V]) forget(e *list.Element) {
	k := entry[V](e)
	c.order.Remove(e)
	delete(c.byKey, k.key)
	c.weight -= k.weight
}

// entry is what an element holds: the list holds nothing else.
func entry[V any](e *list.Element) *kept[V] {
	k, _ := e.Value.(*kept[V])
	return k
}
