package roster

import (
	"cmp"
	"maps"
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

// deciding returns the row by which the rows of a key are judged: whose they are, and of which booking. It is the newest that
// names a person. A release by key names nobody, so it is of the person whom the rows beside it name.
// A slip in an older row of the same file must not send the whole key to quarantine.
func deciding(rows []engine.Row[snapshot.RosterRow]) *snapshot.RosterRow {
	for _, row := range slices.Backward(rows) {
		if !row.Data.KeyOnly {
			return row.Data
		}
	}
	return rows[len(rows)-1].Data
}

// tell folds the rows of a key, oldest first, into its claim, and reports whether any was taken. known is the booking of the
// claim; nil for a new one.
//
// Rows of another person are refused, and with them the releases by key beside them. contested reports that the deciding row
// states a birth that conflicts with the known one: it is refused, but the person was seen, and what it says of a juvenile
// counts (FEEDS.md, guarantees 6 and 11).
func (ro *roster) tell(c *resolve.BookingClaim, known *resolve.BookingRecord, g *engine.Group[snapshot.RosterRow]) (taken, contested bool) {
	newest := deciding(g.Rows)
	// A row that was reported before as it is now cannot be of another person.
	// Else a rule of names that becomes stricter would refuse rows that were taken for weeks.
	contest := resolve.Agrees
	if known != nil && !c.SameFingerprint(newest.Fingerprint) {
		contest = ro.contest(known, newest)
	}
	if contest == resolve.Stranger {
		if !newest.SeenAt.Before(c.LastSeen()) { // else the key may have been another person's then
			ro.Impact.Refuse(resolve.RewriteName)
		}
		for _, row := range g.Rows {
			ro.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, row.Data.Name)
		}
		return false, false
	}
	before := *c
	before.Since = maps.Clone(c.Since)
	fresh := false // some row is newer than what is known
	for _, row := range g.Rows {
		take, ok := ro.extent(c, known, row, newest, contest)
		if !ok {
			continue
		}
		late, early := resolve.TellBooking(c, row.Data, take, ro.Proven.MissingFields)
		if early {
			ro.refuse(row, "release.released_at", "lies before the booking")
			continue
		}
		taken, fresh = true, fresh || !late
		if row.Data != g.Last() {
			ro.Applied.Repeated++
		}
	}
	// Only what the rows of one instant changed together is news.
	if len(g.Rows) > 1 && g.Rows[0].Data.SeenAt.Equal(g.Last().SeenAt) {
		resolve.NoteTogether(c, &before, g.Last().SeenAt)
	}
	if known != nil && !before.Age.Restricted() && c.Age.Restricted() {
		ro.Impact.Note(resolve.RewriteRestricted)
	}
	c.RunID = ro.RunID
	// Complete snapshots that are newer than the row may lack the claim. A pending one is in no list.
	if ro.Tracks && fresh && c.Facts.Known() {
		c.Recount(engine.Later(c.SaidAt, ro.At))
	}
	return taken, contest == resolve.OtherBirth
}

// contest compares a row with the person of a known booking. Where an operator said that two bookings are one, the person has
// the names and births of all of its claims: else a row under either key would be refused as another person's.
//
// A claim that states no birth proves nothing of it: the birth is then that of the claims which have its name, so one that
// conflicts with theirs stays a conflict.
func (ro *roster) contest(known *resolve.BookingRecord, row *snapshot.RosterRow) resolve.Contested {
	contest := resolve.Contest(known, row)
	claims := ro.of[known.Record]
	if contest == resolve.Agrees || !slices.ContainsFunc(claims, func(c *resolve.BookingClaim) bool { return c.How == resolve.Merged }) {
		return contest
	}
	for _, c := range claims {
		as := *known
		as.Name, as.DOB, as.Year = c.Facts.Name, c.Facts.DOB, c.Facts.Year
		if born := ro.bornAs(known, c); as.DOB == nil && born != nil {
			as.DOB, as.Year = born.DOB, born.Year
		}
		contest = min(contest, resolve.Contest(&as, row))
	}
	return contest
}

// bornAs returns who of the booking or its other claims has the name of a claim and states a day of birth; nil: none does.
func (ro *roster) bornAs(known *resolve.BookingRecord, c *resolve.BookingClaim) *resolve.Person {
	persons := []resolve.Person{known.Person()}
	for _, o := range ro.of[known.Record] {
		persons = append(persons, resolve.Person{Name: o.Facts.Name, DOB: o.Facts.DOB, Year: o.Facts.Year})
	}
	for _, p := range persons {
		if p.DOB != nil && resolve.Same(p, resolve.Person{Name: c.Facts.Name}) {
			return &p
		}
	}
	return nil
}

// extent is how much of a row counts. ok is false of one that is refused: beside the deciding row it names another person.
// Whatever is refused or cut here, what a row says of a juvenile is kept (guarantee 11).
func (ro *roster) extent(c *resolve.BookingClaim, known *resolve.BookingRecord, row engine.Row[snapshot.RosterRow], newest *snapshot.RosterRow,
	contest resolve.Contested,
) (take resolve.Extent, ok bool) {
	data := row.Data
	switch {
	case data.KeyOnly:
		return resolve.All, true
	case data != newest && !resolve.Same(personOf(newest), personOf(data)):
		ro.Reject(row.Line, "identity", engine.AnotherPerson, c.Key, data.Name)
		return 0, false
	// Of a contested birth the person was seen, so nobody is released; which birth is right, an operator must find out.
	case contest == resolve.OtherBirth && data == newest:
		ro.refuse(row, "identity", engine.AnotherPerson)
		return resolve.PresenceOnly, true
	// It repeats what is contested.
	case contest == resolve.OtherBirth && ro.contest(known, data) == resolve.OtherBirth:
		return resolve.PresenceOnly, true
	// Where only changes are reported, the rows of a key came one after the other.
	case data == newest || !ro.Tracks:
		return resolve.All, true
	// In one list of everybody they stand beside each other: the one that decides wins, and a juvenile's sign in another hides.
	default:
		return resolve.AgeOnly, true
	}
}

// refuse refuses a row that is no reason to count anybody as seen: it lists nobody, or its person counts as seen anyway.
func (ro *roster) refuse(row engine.Row[snapshot.RosterRow], field, reason string) {
	ro.Applied.Rejected = append(ro.Applied.Rejected, snapshot.RejectedRow{Line: row.Line, Field: field, Reason: reason})
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
	// Without a rule, two people of one name who were booked on one day would change places from run to run.
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
