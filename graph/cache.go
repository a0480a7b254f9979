package graph

import (
	"container/list"
	"context"
	"sync"
)

// cache keeps the values used last, as long as their weights stay within a budget. It is a
// graphql.Cache. Safe for concurrent use.
type cache[V any] struct {
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

func newCache[V any](budget, most int, weigh func(string, V) int) *cache[V] {
	return &cache[V]{budget: budget, most: most, weigh: weigh, order: list.New(), byKey: map[string]*list.Element{}}
}

// Get gives the value of key, if it is kept.
func (c *cache[V]) Get(_ context.Context, key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return entry[V](e).value, true
}

// Add keeps value under key, and forgets what was used longest ago when that is too much.
func (c *cache[V]) Add(_ context.Context, key string, value V) {
	w := c.weigh(key, value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] != nil || w > c.most {
		return
	}
	c.byKey[key] = c.order.PushFront(&kept[V]{key: key, value: value, weight: w})
	for c.weight += w; c.weight > c.budget; {
		last := c.order.Back()
		k := entry[V](last)
		c.order.Remove(last)
		delete(c.byKey, k.key)
		c.weight -= k.weight
	}
}

// entry is what an element holds: the list holds nothing else.
func entry[V any](e *list.Element) *kept[V] {
	k, _ := e.Value.(*kept[V])
	return k
}
