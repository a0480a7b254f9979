package db

import (
	"context"

	"rollcall/internal/lru"
	"rollcall/models"
)

// About how many bytes a cached value takes beside its texts, by type. Sums of them are held
// against the budget of a Memory, so they need not be exact.
const (
	BookingBytes     = 560
	CaseBytes        = 520
	CorrectionsBytes = 560
	HearingBytes     = 200
	DispositionBytes = 120
	LinkBytes        = 200
	placeBytes       = 200
)

// NewMemory returns a Memory of budget bytes, or one that caches nothing for 0. view is DB.View.
// shows reduces a view to the generations that a value depends on. gen returns the generation of
// the family whose rows a Fetch reads, of the same snapshot as the rows; nil if values need not be
// of one snapshot. bytes is the size of a value without its place. What reads find is counted in use; nil counts nothing.
func NewMemory[K comparable, V any](budget int, use *lru.Use, view func() (models.View, bool), shows func(models.View) models.View,
	gen func(models.View) int64, bytes func(V) int,
) Memory[K, V] {
	m := Memory[K, V]{view: view, shows: shows, gen: gen, use: use}
	if budget > 0 {
		// largest is the part of the budget that one value may take, so that no giant empties the
		// cache.
		const largest = 16
		m.kept = lru.New(budget, budget/largest, func(_ K, r remembered[V]) int {
			if !r.some {
				return placeBytes
			}
			return placeBytes + bytes(r.value)
		})
	}
	return m
}

// Memory caches what was read of records, by key, until a family that it shows changes
// (docs/decisions/0006-record-cache.md). A value is shared by all its readers: none of them may
// change it. It is safe for concurrent use.
type Memory[K comparable, V any] struct {
	// view is DB.View; ok is false while changes may go unnoticed, and then nothing is served from
	// memory.
	view func() (models.View, bool)
	// shows is the part of a view that a value depends on. Other families may change without
	// effect.
	shows func(models.View) models.View
	// kept holds the values with the view they were read in; nil if nothing is cached.
	kept *lru.Cache[K, remembered[V]]
	// gen is the generation of the family whose rows are read; nil if fetch does not report it.
	gen func(v models.View) (generation int64)
	use *lru.Use
}

// remembered is a value and the view it was read in. That a key has no value is cached too, with
// some false.
type remembered[V any] struct {
	value V
	some  bool
	at    models.View
}

// Fetch reads values by key, and the generation of their family in the same snapshot; 0 where that
// does not matter. Keys without a value are left out of found.
type Fetch[K comparable, V any] func(ctx context.Context, keys []K) (found map[K]V, gen int64, err error)

// AnyGeneration asks ReadAt for values of any generation.
const AnyGeneration = -1

// Read returns the values of keys and fetches those that are not cached. Keys without a value are
// left out. The view is taken before the fetch: a value may be newer than its view, never older.
func (m *Memory[K, V]) Read(ctx context.Context, keys []K, from Fetch[K, V]) (map[K]V, error) {
	found, _, err := m.ReadAt(ctx, keys, AnyGeneration, from)
	return found, err
}

// ReadAt is Read for values of one snapshot of their family: that of generation gen, unless the
// generation that it returns differs. Then the caller has values of a newer snapshot than its keys
// and must read the keys again. Cached values serve only while gen is the newest generation
// announced.
func (m *Memory[K, V]) ReadAt(ctx context.Context, keys []K, gen int64, from Fetch[K, V]) (map[K]V, int64, error) {
	if m.kept == nil {
		return from(ctx, keys)
	}
	view, ok := m.view()
	if !ok || gen != AnyGeneration && gen != m.gen(view) {
		return from(ctx, keys)
	}
	at := m.shows(view)
	out := make(map[K]V, len(keys))
	var missing []K
	m.kept.Each(keys, func(key K, r remembered[V], kept bool) {
		switch {
		case !kept || r.at != at:
			missing = append(missing, key)
		case r.some:
			out[key] = r.value
		}
	})
	m.use.Count(len(keys)-len(missing), len(missing))
	if len(missing) == 0 {
		return out, gen, nil
	}
	found, now, err := from(ctx, missing)
	if err != nil {
		return nil, 0, err
	}
	keep := m.gen == nil || now == m.gen(view) // what is newer must not stand beside what is kept
	for _, key := range missing {
		value, some := found[key]
		if some {
			out[key] = value
		}
		if keep {
			m.kept.Add(key, remembered[V]{value: value, some: some, at: at})
		}
	}
	return out, now, nil
}

// One is Read for a single key.
func (m *Memory[K, V]) One(ctx context.Context, key K, from Fetch[K, V]) (value V, ok bool, err error) {
	found, err := m.Read(ctx, []K{key}, from)
	value, ok = found[key]
	return value, ok, err
}

// InOrder returns the values of found in the order of keys. Keys without a value are left out.
func InOrder[V any](found map[int64]V, keys []int64) []V {
	out := make([]V, 0, len(keys))
	for _, k := range keys {
		if v, ok := found[k]; ok {
			out = append(out, v)
		}
	}
	return out
}

// ByKey returns records by their keys. Of two with one key the later stays.
func ByKey[K comparable, T any](records []*T, key func(*T) K) map[K]*T {
	out := make(map[K]*T, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
}
