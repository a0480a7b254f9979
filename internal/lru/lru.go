// Package lru keeps the values used last within a budget of memory. It does not know what values are worth or
// when they become stale: the caller decides. The response cache, the record cache and GraphQL's parsed queries
// are built on it.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values used last, as long as their weights stay within a budget. It is safe for concurrent
// use.
type Cache[K comparable, V any] struct {
	// budget is the limit of all weights together.
	budget int
	// most is the limit of one value. A heavier one is not kept, since it would push everything else out.
	most  int
	weigh func(key K, v V) int

	mu     sync.Mutex
	weight int
	// order has *kept[K, V], the value used last in front.
	order *list.List
	byKey map[K]*list.Element
}

type kept[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// New returns a cache whose values weigh at most budget together and most each, in the unit of weigh.
func New[K comparable, V any](budget, most int, weigh func(key K, v V) int) *Cache[K, V] {
	return &Cache[K, V]{budget: budget, most: most, weigh: weigh, order: list.New(), byKey: map[K]*list.Element{}}
}

// Get returns the value of key, if it is kept. The value is shared and must not be changed.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return entry[K, V](e).value, true
}

// Each calls yield for each key in turn, with its value or with ok false. It takes the lock once for all of
// them, so yield must not use the cache.
func (c *Cache[K, V]) Each(keys []K, yield func(key K, value V, ok bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		e := c.byKey[key]
		if e == nil {
			var none V
			yield(key, none, false)
			continue
		}
		c.order.MoveToFront(e)
		yield(key, entry[K, V](e).value, true)
	}
}

// Add keeps value under key in place of what is there. It drops the values used longest ago until the weights
// fit.
func (c *Cache[K, V]) Add(key K, value V) {
	w := c.weigh(key, value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byKey[key]; old != nil {
		c.forget(old)
	}
	if w > c.most {
		return
	}
	c.byKey[key] = c.order.PushFront(&kept[K, V]{key: key, value: value, weight: w})
	for c.weight += w; c.weight > c.budget; {
		c.forget(c.order.Back())
	}
}

// Weight returns the weight of all values kept.
func (c *Cache[K, V]) Weight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.weight
}

// forget drops an element. The caller holds the lock.
func (c *Cache[K, V]) forget(e *list.Element) {
	k := entry[K, V](e)
	c.order.Remove(e)
	delete(c.byKey, k.key)
	c.weight -= k.weight
}

// entry returns what an element holds; the list holds nothing else.
func entry[K comparable, V any](e *list.Element) *kept[K, V] {
	k, _ := e.Value.(*kept[K, V])
	return k
}
