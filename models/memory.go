package models

import (
	"context"

	"rollcall/internal/lru"
)

// memory keeps what was read of records, by key, until a family that it shows changes
// (docs/decisions/0006-record-cache.md). What it gives is shared: nobody changes it.
type memory[K comparable, V any] struct {
	view  func() (View, bool)
	shows func(View) View                 // the part of a view that a value depends on
	kept  *lru.Cache[K, remembered[V]]    // nil: nothing is kept
	gen   func(v View) (generation int64) // of the family whose rows are read; nil: not told by fetch
}

// remembered is a value and the view it was read in; that there is none is remembered too.
type remembered[V any] struct {
	value V
	some  bool
	at    View
}

// fetch reads values by key, and the generation of their family in the same snapshot; 0 where that does not matter.
type fetch[K comparable, V any] func(ctx context.Context, keys []K) (found map[K]V, gen int64, err error)

// anyGeneration asks for values of whichever generation.
const anyGeneration = -1

// read gives the values of keys, fetching those that are not kept. The view is taken before: a value may be
// newer than its view, never older.
func (m *memory[K, V]) read(ctx context.Context, keys []K, from fetch[K, V]) (map[K]V, error) {
	found, _, err := m.readAt(ctx, keys, anyGeneration, from)
	return found, err
}

// readAt is read for values of one snapshot of their family: that of generation gen, unless the one given back
// differs. Kept values serve only while gen is the newest generation heard of.
func (m *memory[K, V]) readAt(ctx context.Context, keys []K, gen int64, from fetch[K, V]) (map[K]V, int64, error) {
	if m.kept == nil {
		return from(ctx, keys)
	}
	view, ok := m.view()
	if !ok || gen != anyGeneration && gen != m.gen(view) {
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

// one is read for a single key.
func (m *memory[K, V]) one(ctx context.Context, key K, from fetch[K, V]) (value V, ok bool, err error) {
	found, err := m.read(ctx, []K{key}, from)
	value, ok = found[key]
	return value, ok, err
}

// inOrder gives the values found in the order of keys.
func inOrder[V any](found map[int64]V, keys []int64) []V {
	out := make([]V, 0, len(keys))
	for _, k := range keys {
		if v, ok := found[k]; ok {
			out = append(out, v)
		}
	}
	return out
}

// byKey puts records under their keys.
func byKey[K comparable, T any](records []*T, key func(*T) K) map[K]*T {
	out := make(map[K]*T, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
}
