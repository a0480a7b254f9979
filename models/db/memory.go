package db

import (
	"context"

	"rollcall/internal/lru"
	"rollcall/models"
)

// Bytes that a value takes beside its texts, with its place in the memory, about.
const (
	BookingBytes     = 560
	CaseBytes        = 520
	CorrectionsBytes = 560
	HearingBytes     = 200
	DispositionBytes = 120
	LinkBytes        = 200
	placeBytes       = 200
)

// NewMemory makes a memory of budget bytes; none for 0. gen is that of the family whose rows fetch reads in
// one snapshot with it; nil: values are not of one snapshot with others.
func NewMemory[K comparable, V any](budget int, view func() (models.View, bool), shows func(models.View) models.View, gen func(models.View) int64, bytes func(V) int) Memory[K, V] {
	m := Memory[K, V]{view: view, shows: shows, gen: gen}
	if budget > 0 {
		const largest = 16 // the part of the budget that one value may take
		m.kept = lru.New(budget, budget/largest, func(_ K, r remembered[V]) int {
			if !r.some {
				return placeBytes
			}
			return placeBytes + bytes(r.value)
		})
	}
	return m
}

// Memory keeps what was read of records, by key, until a family that it shows changes
// (docs/decisions/0006-record-cache.md). What it gives is shared: nobody changes it.
type Memory[K comparable, V any] struct {
	view  func() (models.View, bool)
	shows func(models.View) models.View          // the part of a view that a value depends on
	kept  *lru.Cache[K, remembered[V]]           // nil: nothing is kept
	gen   func(v models.View) (generation int64) // of the family whose rows are read; nil: not told by fetch
}

// remembered is a value and the view it was read in; that there is none is remembered too.
type remembered[V any] struct {
	value V
	some  bool
	at    models.View
}

// fetch reads values by key, and the generation of their family in the same snapshot; 0 where that does not matter.
type fetch[K comparable, V any] func(ctx context.Context, keys []K) (found map[K]V, gen int64, err error)

// AnyGeneration asks for values of whichever generation.
const AnyGeneration = -1

// Read gives the values of keys, fetching those that are not kept. The view is taken before: a value may be
// newer than its view, never older.
func (m *Memory[K, V]) Read(ctx context.Context, keys []K, from fetch[K, V]) (map[K]V, error) {
	found, _, err := m.ReadAt(ctx, keys, AnyGeneration, from)
	return found, err
}

// ReadAt is read for values of one snapshot of their family: that of generation gen, unless the one given back
// differs. Kept values serve only while gen is the newest generation heard of.
func (m *Memory[K, V]) ReadAt(ctx context.Context, keys []K, gen int64, from fetch[K, V]) (map[K]V, int64, error) {
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

// One is read for a single key.
func (m *Memory[K, V]) One(ctx context.Context, key K, from fetch[K, V]) (value V, ok bool, err error) {
	found, err := m.Read(ctx, []K{key}, from)
	value, ok = found[key]
	return value, ok, err
}

// InOrder gives the values found in the order of keys.
func InOrder[V any](found map[int64]V, keys []int64) []V {
	out := make([]V, 0, len(keys))
	for _, k := range keys {
		if v, ok := found[k]; ok {
			out = append(out, v)
		}
	}
	return out
}

// ByKey puts records under their keys.
func ByKey[K comparable, T any](records []*T, key func(*T) K) map[K]*T {
	out := make(map[K]*T, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
}
