package reconcile

import "slices"

// lost tells whether one of the fields is in no row of the snapshot, though its source told it before: its key was
// renamed, so an empty value says nothing. What is known of it stays; the print of such a row is kept empty, so that
// the row is looked at again when the field is back.
func (st *staging) lost(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(st.verdict.Lost, f) })
}
