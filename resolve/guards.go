package resolve

import (
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Overdue is how long before a complete snapshot a booking must lie to be missed in it, and a release before
// its source last listed the person to be implausible: clerks enter some people a day late.
const Overdue = 48 * time.Hour

// Doubled is how far apart two bookings of one person in one source may be to be implausible for many people at once: times
// that are shifted by hours or a day are within it.
const Doubled = 48 * time.Hour

// The facts that the mass-change guard counts, as operators call them.
const (
	RewriteBooked  = "time of booking"
	RewriteBirth   = "birth date"
	RewriteName    = "name"
	RewriteCharges = "charges"
	RewriteBond    = "bond"
	RewriteFiled   = "day of filing"
	// RewriteRestricted is a name that became words such as RESTRICTED.
	RewriteRestricted = "restriction"
)

// BookingRewrites are the facts that the mass-change guard counts. Charges and bonds of many can change at
// once when nobody looked for long.
var BookingRewrites = []string{RewriteBooked, RewriteBirth, RewriteName, RewriteRestricted, RewriteCharges, RewriteBond}

// Rewrites lists the facts that a row would replace or end of what its source claimed before; one that was
// not known is news. Charges and bonds of most rows do change where a source reports only what changed
// (lists is false): there it counts when they are reported no more of somebody who stays. A field that is
// missing from all rows counts too, although what is known of it stays.
func Rewrites(before *BookingFacts, row *snapshot.RosterRow, lists bool) (facts []string) {
	if row.KeyOnly || !before.Known() {
		return nil
	}
	add := func(fact string, changed bool) {
		if changed {
			facts = append(facts, fact)
		}
	}
	stays := row.ReleasedAt == nil
	charges, known := Descriptions(row.Charges), Descriptions(before.Charges)
	bond := row.BondCents
	if row.BondUnread {
		bond = before.Bond
	}
	add(RewriteBooked, !before.BookedAt.Equal(row.BookedAt) && (!models.DayAlone(before.BookedAt) || !sameDay(before.BookedAt, row.BookedAt)))
	add(RewriteBirth, before.DOB != nil && row.DOB != nil && *before.DOB != *row.DOB || before.Year != 0 && row.BirthYear != 0 && before.Year != row.BirthYear)
	add(RewriteName, match.SearchKey(before.Name) != match.SearchKey(row.Name) && !StatesRestriction(row.Name))
	add(RewriteCharges, len(known) > 0 && !slices.Equal(known, charges) && (lists || len(charges) == 0 && stays))
	add(RewriteBond, before.Bond != nil && !equal(centsText(before.Bond), centsText(bond)) && (lists || bond == nil && stays))
	return facts
}

// Becomes returns the bond that a row puts in the place of a known one, as text, empty where it ends: many that become one
// and the same are a column that means something else now. changed is false where the bond stays, was not known, or
// ends with a release.
func Becomes(before *BookingFacts, row *snapshot.RosterRow) (text string, changed bool) {
	if row.KeyOnly || before.Bond == nil || row.BondUnread || row.BondCents == nil && row.ReleasedAt != nil {
		return "", false
	}
	if row.BondCents != nil {
		text = *centsText(row.BondCents)
	}
	return text, text != *centsText(before.Bond)
}

// Turnover counts how many keys of a source that lists everybody came and went in one snapshot.
type Turnover struct {
	Listed   int // keys of the snapshot
	Fresh    int // of these, those that nobody knew
	Overdue  int // of the fresh, those booked long before the last complete snapshot, which lacked them
	Known    int // keys that were listed until now, within the source's window
	Vanished int // of these, those that the snapshot lacks
	Again    int // people of the vanished who stand under a fresh key, by name and time of booking
	Rekeyed  int // of the fresh, those that are bookings of the vanished, corrected; Overdue leaves them out
	Replaced int // people of the vanished at whose minute of booking the snapshot has an unknown person
}

// Brief is what the key-turnover guard must know of a key that came or went.
type Brief struct {
	Record   int64 // of a key that went
	County   int16
	Name     string // folded
	BookedAt time.Time
	Rekeyed  bool // it was recognised under the other key
}

// CountTurnover compares the keys that came with those that went. A person of whom several keys went is one, as a number may
// be corrected twice before the first absence is confirmed. last is the newest complete snapshot before this one; zero: none.
func CountTurnover(fresh, vanished []Brief, listed, known int, last time.Time) Turnover {
	t := Turnover{Listed: listed, Known: known, Fresh: len(fresh)}
	type place struct {
		county int16
		at     int64
	}
	at := map[place][]*Brief{}
	for i := range fresh {
		f := &fresh[i]
		if f.Rekeyed {
			t.Rekeyed++
		}
		if !last.IsZero() && f.BookedAt.Before(last.Add(-Overdue)) && !f.Rekeyed {
			t.Overdue++
		}
		p := place{f.County, f.BookedAt.UnixMicro()}
		at[p] = append(at[p], f)
	}
	counted := map[int64]bool{}
	for _, v := range vanished {
		t.Vanished++
		if v.Record != 0 && counted[v.Record] {
			continue
		}
		counted[v.Record] = true
		again, replaced := false, false
		for _, f := range at[place{v.County, v.BookedAt.UnixMicro()}] {
			again = again || sortedWords(f.Name) == sortedWords(v.Name)
			replaced = replaced || !f.Rekeyed
		}
		if again {
			t.Again++
		}
		if replaced && !v.Rekeyed && !models.DayAlone(v.BookedAt) {
			t.Replaced++
		}
	}
	return t
}
