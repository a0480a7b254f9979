package resolve

import "slices"

// MissingFields are fields that a source reported before and that no row of a snapshot has any more: their key was
// renamed, so nothing of them is taken for empty. Package ingest finds them (snapshot.Completeness, MissingFields), and
// names them as source documents do: "charge.statute". Without them one renamed column would wipe a fact of everybody.
type MissingFields []string

// Any reports whether one of the fields is missing.
func (m MissingFields) Any(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(m, f) })
}
