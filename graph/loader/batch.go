package loader

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"
)

// Batch reads values by key for one request. A key without a value loads as the zero value. It is
// safe for concurrent use.
type Batch[K comparable, V any] struct {
	// Reads a list of keys in one statement. Keys without a value are missing in its result.
	fetch func(context.Context, []K) (map[K]V, error)
	mu    sync.Mutex
	// Announced keys, not in groups yet: most of what is announced is never asked for, and forming
	// groups costs more than a slice.
	announced [][]K
	// The group of every key for which one was formed, read or not.
	groups map[K]*group[K, V]
}

// group is a list of keys that one call of fetch reads. Its dataloader queues the keys, reads them once
// and keeps the values.
type group[K comparable, V any] struct {
	keys  []K
	once  sync.Once
	batch *dataloader.Loader[K, V]
}

// groupWait bounds a mistake only: a group is full as soon as its keys are queued, and is read
// then. A short wait would split groups whenever the machine is busy.
const groupWait = time.Second

// newBatch returns a loader that reads by fetch.
func newBatch[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) *Batch[K, V] {
	return &Batch[K, V]{fetch: fetch}
}

// expect announces keys that are likely to be loaded, as one group. A key that has a group stays in
// it.
func (l *Batch[K, V]) expect(keys []K) {
	if len(keys) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.announced = append(l.announced, keys)
}

// groupOf returns the group of k; a key that was not announced forms one of its own.
func (l *Batch[K, V]) groupOf(k K) *group[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, keys := range l.announced {
		l.form(keys)
	}
	l.announced = nil
	if l.groups[k] == nil {
		l.form([]K{k})
	}
	return l.groups[k]
}

// form makes a group of those keys that are in none yet.
func (l *Batch[K, V]) form(keys []K) {
	if l.groups == nil {
		l.groups = make(map[K]*group[K, V], len(keys))
	}
	g := &group[K, V]{}
	for _, k := range keys {
		if l.groups[k] == nil {
			l.groups[k] = g
			g.keys = append(g.keys, k)
		}
	}
	if len(g.keys) == 0 {
		return
	}
	// The input holds the whole group. Left alone, it has room for 1,000 keys: 8 KB for each group of a request.
	g.batch = dataloader.NewBatchedLoader(l.results, dataloader.WithWait[K, V](groupWait),
		dataloader.WithBatchCapacity[K, V](len(g.keys)), dataloader.WithInputCapacity[K, V](len(g.keys)))
}

// Load returns the value of k. The first load of a group reads the whole group, and loads of its
// other keys wait for it. An error of the read is the error of every key of the group.
func (l *Batch[K, V]) Load(ctx context.Context, k K) (V, error) {
	g := l.groupOf(k)
	g.once.Do(func() {
		for _, key := range g.keys { // not LoadMany, which starts a goroutine for each key
			g.batch.Load(ctx, key)
		}
	})
	return g.batch.Load(ctx, k)()
}

// results puts what fetch returns into the order of keys, as dataloader asks.
func (l *Batch[K, V]) results(ctx context.Context, keys []K) []*dataloader.Result[V] {
	found, err := l.read(ctx, keys)
	out := make([]*dataloader.Result[V], len(keys))
	for i, k := range keys {
		out[i] = &dataloader.Result[V]{Data: found[k], Error: err}
	}
	return out
}

// read turns a panic of fetch into an error, which the presenter logs and the other loads of the group
// return too. An empty value would be a link that is silently missing from the answer.
func (l *Batch[K, V]) read(ctx context.Context, keys []K) (found map[K]V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a loader: %v\n%s", p, debug.Stack())
		}
	}()
	return l.fetch(ctx, keys)
}
