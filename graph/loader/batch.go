package loader

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"
)

// Batch reads values by key for one request. A key without a value loads as the zero value.
type Batch[K comparable, V any] struct {
	// Reads a list of keys in one statement; keys without a value are missing in its result.
	fetch     func(context.Context, []K) (map[K]V, error)
	mu        sync.Mutex
	announced [][]K // not in groups yet: most of what is announced is never asked for
	// The group of every key that was formed, read or not.
	groups map[K]*group[K, V]
}

// group is a list of keys that are read by one call of fetch; a single key needs no batch.
type group[K comparable, V any] struct {
	keys  []K
	once  sync.Once
	batch *dataloader.Loader[K, V]
	value V
	err   error
}

// errUnread is what a key loads as when reading it panicked: not as if it had no value.
var errUnread = errors.New("the read of this key did not end")

// groupWait is never waited for: a group is full as soon as its keys are queued, and then ends. It
// only bounds a mistake. A short one would split groups whenever the machine is busy.
const groupWait = time.Second

func newBatch[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) *Batch[K, V] {
	return &Batch[K, V]{fetch: fetch}
}

// expect announces keys that will likely be loaded, as one group. Known keys stay where they are.
func (l *Batch[K, V]) expect(keys []K) {
	if len(keys) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.announced = append(l.announced, keys)
}

// groupOf returns the group of k: a group of its own when k was not announced.
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

// form makes a group of those keys that are in none.
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
	if len(g.keys) > 1 {
		g.batch = dataloader.NewBatchedLoader(l.results, dataloader.WithWait[K, V](groupWait), dataloader.WithBatchCapacity[K, V](len(g.keys)))
	}
}

// Load returns the value of k. The first load of a group reads the whole group; loads of other keys wait for it.
func (l *Batch[K, V]) Load(ctx context.Context, k K) (V, error) {
	g := l.groupOf(k)
	g.once.Do(func() {
		if g.batch != nil {
			g.batch.LoadMany(ctx, g.keys)
			return
		}
		// Stays when fetch panics: once.Do does not run again, and the next load must not read "no value".
		g.err = errUnread
		found, err := l.fetch(ctx, g.keys)
		g.value, g.err = found[k], err
	})
	if g.batch == nil {
		return g.value, g.err
	}
	return g.batch.Load(ctx, k)()
}

// results turns what fetch returns into the order of keys that dataloader asks for.
func (l *Batch[K, V]) results(ctx context.Context, keys []K) []*dataloader.Result[V] {
	found, err := l.fetch(ctx, keys)
	out := make([]*dataloader.Result[V], len(keys))
	for i, k := range keys {
		out[i] = &dataloader.Result[V]{Data: found[k], Error: err}
	}
	return out
}
