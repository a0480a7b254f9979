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
	if birthConflict(known.DOB, row.DOB) {
		return false
	}
	if match.Fold(known.Name) == match.Fold(row.Name) {
		return true
	}
	a, b := match.Parse(known.Name), match.Parse(row.Name)
	return match.Alike(&a, &b)
}

// birthConflict tells whether two dates of birth can not be one date, misread: at least two of year,
// month and day must agree, or day and month be swapped.
func birthConflict(a, b *models.Date) bool {
	if a == nil || b == nil || *a == *b {
		return false
	}
	agree := 0
	for _, same := range []bool{a.Year == b.Year, a.Month == b.Month, a.Day == b.Day} {
		if same {
			agree++
		}
	}
	swapped := a.Year == b.Year && int(a.Month) == b.Day && a.Day == int(b.Month)
	return agree < 2 && !swapped
}
