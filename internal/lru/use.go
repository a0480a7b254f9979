package lru

import "sync/atomic"

// Use counts what the readers of a cache found: a value that still held, or none. The zero value is ready, and nil
// counts nothing. It is safe for concurrent use.
//
// A cache does not count by itself, since only its caller knows whether a value still holds.
type Use struct{ hits, misses atomic.Int64 }

// Count adds values that held and values that had to be made.
func (u *Use) Count(hits, misses int) {
	if u == nil {
		return
	}
	u.hits.Add(int64(hits))
	u.misses.Add(int64(misses))
}

// Totals returns the counts so far.
func (u *Use) Totals() (hits, misses int64) { return u.hits.Load(), u.misses.Load() }
