package operate

import (
	"rollcall/models"
	"rollcall/models/snapshot"
)

// diffShown is how many people of each kind the page names; their totals are exact.
const diffShown = 200

// people is one kind of people whom a snapshot would change: the first of them, and how many
// there are.
type people struct {
	What string
	// How many there are; List may be cut.
	All  int
	List []snapshot.Gone
	// Records is the address below which their records are; empty: they have no page yet.
	Records string
}

// recordsOf is the address below which the records of a kind of source are; empty: a snapshot does not have the ids of their pages.
func recordsOf(kind string) string {
	return map[string]string{string(models.Roster): "/roster/", string(models.Corrections): "/corrections/"}[kind]
}

// peopleOf returns a list cut to diffShown. all is the exact number, where the caller knows a
// larger one.
func peopleOf(what, records string, all int, list []snapshot.Gone) people {
	return people{What: what, All: max(all, len(list)), List: list[:min(len(list), diffShown)], Records: records}
}
