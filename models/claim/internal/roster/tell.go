package roster

import (
	"cmp"
	"slices"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// order orders the rows of a key, oldest first: the last one counts. Rows that share the key by
// chance are refused before: the one that counts must not be among them.
//
// In a list of everybody, rows of one instant that contradict each other are in no order: the one that is known already
// stays, else one that releases nobody. Else a file that lists somebody twice would release and reopen them from run to
// run. Where only changes are reported, the last row is the newest. A number can be used again, so the later day of booking
// decides first of all.
func (ro *roster) order(g *engine.Group[snapshot.RosterRow], c *resolve.BookingClaim) {
	ro.dropChance(g, c)
	if len(g.Rows) == 1 {
		return
	}
	// The rows as they came: sorting moves them.
	place := make(map[*snapshot.RosterRow]int, len(g.Rows))
	for i, row := range g.Rows {
		place[row.Data] = i
	}
	slices.SortStableFunc(g.Rows, func(a, b engine.Row[snapshot.RosterRow]) int {
		x, y := a.Data, b.Data
		// A release that names only a key has no time of booking to compare: it stays in its place.
		if byTime := cmp.Or(x.SeenAt.Compare(y.SeenAt), boolCompare(x.KeyOnly, y.KeyOnly)); byTime != 0 || x.KeyOnly {
			return cmp.Or(byTime, cmp.Compare(place[x], place[y]))
		}
		day := models.DateOf(x.BookedAt.In(models.Georgia)).In(models.Georgia).Compare(models.DateOf(y.BookedAt.In(models.Georgia)).In(models.Georgia))
		known := 0
		if c != nil {
			known = boolCompare(c.SameFingerprint(x.Fingerprint), c.SameFingerprint(y.Fingerprint))
		}
		// Only changes are reported: the place in the file is the order of events.
		if !ro.Tracks {
			return cmp.Or(day, cmp.Compare(place[x], place[y]))
		}
		return cmp.Or(day, known, boolCompare(x.ReleasedAt == nil, y.ReleasedAt == nil), -slices.Compare(x.Fingerprint, y.Fingerprint))
	})
}

// boolCompare orders false before true.
func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// tell folds the rows of a key, oldest first, into its claim, and reports whether any was taken. known is the booking of the
// claim; nil for a new one.
//
// Rows of another person are refused. Other rows than the one that counts are evidence of age and nothing else, unless they were
// reported one after the other. contested reports that the newest row states a birth that conflicts with the known one: it
// is refused, but the person was seen, and what it says of a juvenile counts (FEEDS.md, guarantees 6 and 11).
func (ro *roster) tell(c *resolve.BookingClaim, known *resolve.BookingRecord, g *engine.Group[snapshot.RosterRow]) (taken, contested bool) {
	newest := g.Last()
	// A row that was reported before as it is now cannot be of another person.
	contest := resolve.Agrees
	if known != nil && !c.SameFingerprint(newest.Fingerprint) {
		contest = resolve.Contest(known, newest)
	}
	if contest == resolve.Stranger {
		for _, row := range g.Rows {
			ro.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, row.Data.Name)
		}
		return false, false
	}
	late := false
	for i, row := range g.Rows {
		var took bool
		if i < len(g.Rows)-1 {
			took = ro.tellBeside(c, known, row, newest, contest)
		} else {
			took, late = ro.tellNewest(c, row, contest)
		}
		taken = taken || took
	}
	c.RunID = ro.RunID
	// Complete snapshots that are newer than the row may lack the claim. A pending one is in no list.
	if ro.Tracks && !late && c.Facts.Known() {
		c.Recount()
	}
	return taken, contest == resolve.OtherBirth
}

// tellNewest folds in the row of a key that counts. Of a contested birth the person was seen, so nobody is released; which
// birth is right, an operator must find out.
func (ro *roster) tellNewest(c *resolve.BookingClaim, row engine.Row[snapshot.RosterRow], contest resolve.Contested) (took, late bool) {
	if contest == resolve.OtherBirth {
		ro.Applied.Rejected = append(ro.Applied.Rejected, snapshot.RejectedRow{Line: row.Line, Field: "identity", Reason: engine.AnotherPerson})
		late, _ = resolve.TellBooking(c, row.Data, resolve.PresenceOnly, nil)
		return true, late
	}
	late, early := resolve.TellBooking(c, row.Data, resolve.All, ro.Proven.MissingFields)
	if early {
		ro.rejectEarly(c, row)
	}
	return !early, late
}

// tellBeside folds in a row of a key beside the newest.
func (ro *roster) tellBeside(c *resolve.BookingClaim, known *resolve.BookingRecord, row engine.Row[snapshot.RosterRow],
	newest *snapshot.RosterRow, contest resolve.Contested,
) (took bool) {
	data := row.Data
	switch {
	case !data.KeyOnly && !newest.KeyOnly && !resolve.Same(resolve.Person{Name: newest.Name, DOB: newest.DOB}, resolve.Person{Name: data.Name, DOB: data.DOB}):
		ro.Reject(row.Line, "identity", engine.AnotherPerson, c.Key, data.Name)
		return false
	// It repeats what is contested.
	case contest == resolve.OtherBirth && resolve.Contest(known, data) == resolve.OtherBirth:
		resolve.TellBooking(c, data, resolve.PresenceOnly, nil)
	// One after the other, each is news at its time.
	case data.KeyOnly || newest.KeyOnly || ro.orderly(data, newest):
		if _, early := resolve.TellBooking(c, data, resolve.All, ro.Proven.MissingFields); early {
			ro.rejectEarly(c, row)
			return false
		}
	// Beside each other, the one that counts wins; a juvenile's sign in another one still hides.
	default:
		resolve.TellBooking(c, data, resolve.AgeOnly, nil)
	}
	ro.Applied.Repeated++
	return true
}

// rejectEarly refuses a release by key that lies before its booking.
func (ro *roster) rejectEarly(c *resolve.BookingClaim, row engine.Row[snapshot.RosterRow]) {
	ro.Reject(row.Line, "release.released_at", "lies before the booking", c.Key, c.Facts.Name)
}

// orderly reports whether rows of one key were reported one after the other, so that each is folded in turn. Rows that stand
// in one list of everybody were not.
func (ro *roster) orderly(row, newest *snapshot.RosterRow) bool {
	return !ro.Tracks && row.SeenAt.Before(newest.SeenAt)
}

// anotherBooking is why a row is refused whose key, made of a name and a time, belongs to another row of its snapshot.
const anotherBooking = "another row of the snapshot has this key, and its age, charges or bond are others"

// dropChance refuses the rows that share a key with another one by chance, where the source has no numbers: two people of
// one name who were booked on one day. The row that the source reported before keeps the key, else the first. Without it one
// of the two would be shown with the charges of the other.
func (ro *roster) dropChance(g *engine.Group[snapshot.RosterRow], c *resolve.BookingClaim) {
	if !ro.Unnumbered || len(g.Rows) == 1 {
		return
	}
	// The anchor is the row that keeps the key.
	anchor := slices.MinFunc(g.Rows, func(a, b engine.Row[snapshot.RosterRow]) int {
		return cmp.Or(-boolCompare(c.SameFingerprint(a.Data.Fingerprint), c.SameFingerprint(b.Data.Fingerprint)), cmp.Compare(a.Line, b.Line))
	})
	g.Rows = slices.DeleteFunc(g.Rows, func(row engine.Row[snapshot.RosterRow]) bool {
		if row.Data == anchor.Data || !resolve.ByChance(row.Data, anchor.Data) {
			return false
		}
		ro.Reject(row.Line, "identity.booking", anotherBooking, g.Key, row.Data.Name)
		return true
	})
}
