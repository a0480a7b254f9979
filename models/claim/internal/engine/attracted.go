package engine

import (
	"context"

	"rollcall/resolve"
)

// Attracted is a claim that came to its record by the id or the identity of another one, which was merged into it.
type Attracted struct {
	Key string             // of the claim
	By  int64              // the record that was merged
	How resolve.Attachment // how the claim would have come to that record
}

// NoteAttracted notes claims of the run's source that merged records attracted, as if their merges had brought them: an
// unmerge returns whatever its record's id or identity brought, when it was merged or since. Otherwise what another source
// first reports in the meantime would be said of the wrong person for good.
func (r *Run) NoteAttracted(ctx context.Context, list []Attracted) error {
	if len(list) == 0 {
		return nil
	}
	keys, by, how := make([]string, len(list)), make([]int64, len(list)), make([]string, len(list))
	for i, a := range list {
		keys[i], by[i], how[i] = a.Key, a.By, string(a.How)
	}
	return r.Do(ctx, "note_attracted", Args{
		"family": r.Family, "source": r.SourceID, "run": r.RunID, "now": r.Now, "keys": keys, "by": by, "how": how,
	})
}
