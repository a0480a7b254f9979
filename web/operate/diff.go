package operate

import "rollcall/models/snapshot"

// diffShown is how many people of each kind the page names; their totals are exact.
const diffShown = 200

// people is one kind of people whom a snapshot would change: the first of them, and how many
// there are.
type people struct {
	What string
	// How many there are; List may be cut.
	All  int
	List []snapshot.Gone
}

// peopleOf returns a list cut to diffShown. all is the exact number, where the caller knows a
// larger one.
func peopleOf(what string, all int, list []snapshot.Gone) people {
	return people{What: what, All: max(all, len(list)), List: list[:min(len(list), diffShown)]}
}
