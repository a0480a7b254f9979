// Package reconcile holds the rules by which snapshots become facts, as pure functions: whether a key
// still means the same person, whether a snapshot is proven complete, whether it shrank too far, and a
// model of what a series of snapshots must lead to. The tables are changed by models, by sets, after
// these rules; tests compare the two.
package reconcile

import (
	"rollcall/match"
	"rollcall/models"
)

// Same tells whether a record known under a key and a new row under the same key can be one person.
// Names that are not even alike (match.Alike), or birth dates that conflict, are another person; all
// that is closer is a correction (FEEDS.md, guarantee 6).
func Same(known, row models.Identity) bool {
	if known.DOB != nil && row.DOB != nil && known.DOB.Conflicts(*row.DOB) {
		return false
	}
	if match.Fold(known.Name) == match.Fold(row.Name) {
		return true
	}
	a, b := match.Parse(known.Name), match.Parse(row.Name)
	return match.Alike(&a, &b)
}
