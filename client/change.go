package client

import "encoding/json"

// Change is a member of a change: left as it is (the zero value), set to a value, or taken back to its default.
type Change[T any] struct {
	given bool
	value *T
}

// Set returns a change to a value.
func Set[T any](v T) Change[T] { return Change[T]{given: true, value: &v} }

// Clear returns a change to the default of the member, null on the wire.
func Clear[T any]() Change[T] { return Change[T]{given: true} }

// IsZero reports whether the member is left as it is. JSON then has no such member.
func (c Change[T]) IsZero() bool { return !c.given }

// MarshalJSON implements json.Marshaler.
func (c Change[T]) MarshalJSON() ([]byte, error) { return json.Marshal(c.value) }
