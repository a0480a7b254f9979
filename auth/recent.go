package auth

import (
	"maps"
	"time"
)

// recent is a map that forgets what was not used lately, without ever walking over its entries. They live in two
// halves. Once a period, or when the young half is full, the old half is dropped whole. While the young half does not
// fill up, an entry outlives its last use by at least a period. It is not safe for concurrent use.
type recent[K comparable, V any] struct {
	period time.Duration
	// Entries of one half; 0: no bound.
	most int

	young, old map[K]V
	// When the halves last changed places.
	turned time.Time
}

// get returns the value of key, which counts as a use of it.
func (r *recent[K, V]) get(key K, at time.Time) (V, bool) {
	if at.Sub(r.turned) >= r.period {
		r.turn(at)
	}
	v, ok := r.young[key]
	if ok {
		return v, true
	}
	if v, ok = r.old[key]; ok {
		delete(r.old, key)
		r.put(key, v, at)
	}
	return v, ok
}

// put stores a value. A full young half becomes the old one first.
func (r *recent[K, V]) put(key K, v V, at time.Time) {
	if r.young == nil || r.most > 0 && len(r.young) >= r.most {
		r.turn(at)
	}
	r.young[key] = v
}

// turn forgets the old half. Everything used since the last turn is in the young one.
func (r *recent[K, V]) turn(at time.Time) {
	r.old, r.young, r.turned = r.young, map[K]V{}, at
}

// drop removes the entries for which gone returns true.
func (r *recent[K, V]) drop(gone func(K, V) bool) {
	maps.DeleteFunc(r.young, gone)
	maps.DeleteFunc(r.old, gone)
}
