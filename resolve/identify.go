package resolve

import (
	"cmp"
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Nearby is how far apart the minute of one booking may be reported, by two sources or by one that corrects it.
const Nearby = 2 * time.Minute

// Reach is how far the minute of a booking may be corrected where the source numbers people: within it nobody is booked, let go
// and booked again. Elsewhere Nearby holds. The statement near_bookings offers no candidate further away.
const Reach = time.Hour

// Stay is a booking as a source reports it, for the rules that recognise it.
type Stay struct {
	Person
	BookedAt  time.Time // when the booking began
	PersonKey string    // the source's own number of the person, or empty
	Charges   []string  // in the order of the source
	Over      bool      // released
}

// Newcomer is a row under a key that its source did not use before, or that now means another booking period.
type Newcomer struct {
	Stay
	At     time.Time   // the instant that the row speaks of
	Reused bool        // its key named another booking before
	Near   []Candidate // bookings that it may be
}

// Candidate is a stored booking that a newcomer may be, by county and time. A booking that others were merged into
// is one as its own claims say, and each of the others is one as those say that came from it.
type Candidate struct {
	Stay
	Record   int64       // its key in the tables; of a merged one, that of the booking that stayed
	By       int64       // the key of the merged one itself; 0: it is not merged
	MergedAt time.Time   // when it came to that booking; zero: it did not
	Mine     bool        // the newcomer's source reports it too, under another key
	Named    bool        // and a row of the snapshot names that key
	At       []time.Time // the instants of those rows
}

// Identity is how a source's newcomers are recognised.
type Identity struct {
	Lists      bool                       // it lists everybody
	Renumbered bool                       // an operator said that its keys were exchanged
	Rekey      func(known, row Stay) bool // the rule by which it reports a booking under another key; nil: it never does
}

// Match is a newcomer that was recognised.
type Match struct {
	Row    int        // place among the newcomers
	Record int64      // the booking that it is
	How    Attachment // by which rule

	By       int64     // the booking, merged into that one, as which it was recognised; 0: none
	MergedAt time.Time // when that came to the booking; zero: none did
}

// Identify recognises newcomers among the bookings that are stored. First those of other sources and of
// takeovers: county, instant and words of the name are the same. Then those that another source writes a
// little differently (Namesake, Nearby or the day alone). Then those that the source itself reported under
// a key which the snapshot lacks (Rekey). A pair counts only when neither side has another candidate: to
// make two bookings one is worse than to publish one twice.
func Identify(p Identity, rows []Newcomer) (found []Match) {
	taken, known := map[int]bool{}, map[int64]bool{}
	pass := func(how Attachment, may func(*Newcomer, *Candidate) bool) {
		for _, m := range onlyPairs(rows, taken, known, may) {
			m.How = how
			found = append(found, m)
		}
		for _, m := range found {
			taken[m.Row], known[m.booking()] = true, true
		}
	}
	pass(Matched, func(r *Newcomer, c *Candidate) bool { return exact(p, r, c) })
	pass(Matched, nearly)
	if p.Rekey != nil {
		pass(Rekeyed, func(r *Newcomer, c *Candidate) bool {
			named := c.Named && (p.Lists || slices.ContainsFunc(c.At, r.At.Equal))
			return c.Mine && !named && !r.Reused && p.Rekey(c.Stay, r.Stay)
		})
	}
	return found
}

// booking is the key of the booking as which the newcomer was recognised, merged or not.
func (m *Match) booking() int64 { return cmp.Or(m.By, m.Record) }

// onlyPairs are those pairs of newcomer and booking of which neither could be paired otherwise. A booking that was merged is
// paired by itself, but is no other one than that which stayed. A newcomer that may be either is the merged one, so that an
// unmerge gives it to somebody whom it may be.
func onlyPairs(rows []Newcomer, taken map[int]bool, known map[int64]bool, may func(*Newcomer, *Candidate) bool) (only []Match) {
	ofBooking := map[int64]int{}
	var pairs []Match
	for i := range rows {
		if taken[i] {
			continue
		}
		var of []Match
		for j := range rows[i].Near {
			c := &rows[i].Near[j]
			m := Match{Row: i, Record: c.Record, By: c.By, MergedAt: c.MergedAt}
			if known[m.booking()] || !may(&rows[i], c) {
				continue
			}
			ofBooking[m.booking()]++
			of = append(of, m)
		}
		if len(of) > 0 && !slices.ContainsFunc(of, func(m Match) bool { return m.Record != of[0].Record }) {
			pairs = append(pairs, slices.MaxFunc(of, func(a, b Match) int { return cmp.Compare(a.By, b.By) }))
		}
	}
	for _, m := range pairs {
		if ofBooking[m.booking()] == 1 {
			only = append(only, m)
		}
	}
	return only
}

// exact reports whether a candidate of others is the newcomer's booking beyond doubt. Of a source whose keys
// were exchanged its own are taken too.
func exact(p Identity, r *Newcomer, c *Candidate) bool {
	if StatesRestriction(r.Name) {
		return false // two records that name nobody are not one
	}
	foreign := !c.Mine || p.Renumbered && !c.Named
	births := r.DOB == nil || c.DOB == nil || *r.DOB == *c.DOB
	return foreign && births && c.BookedAt.Equal(r.BookedAt) && sortedWords(c.Name) == sortedWords(r.Name)
}

// nearly reports whether another source may write the newcomer's booking so. Somebody can be booked twice in
// a day: of a day alone, a booking that is over is not the one of a row that says that it is not.
func nearly(r *Newcomer, c *Candidate) bool {
	if c.Mine || StatesRestriction(r.Name) || !Namesake(c.Person, r.Person) {
		return false
	}
	if r.BookedAt.Sub(c.BookedAt).Abs() <= Nearby {
		return true
	}
	return (models.DayAlone(c.BookedAt) || models.DayAlone(r.BookedAt)) && sameDay(c.BookedAt, r.BookedAt) && (!c.Over || r.Over)
}

// Rekey returns the rule that reports whether a source writes a booking that it reported before under a key
// that it never used: its name or its minute was corrected and the key is made of them, or its number was
// exchanged. composite says that the source's keys are made of facts, lists that it lists everybody, so
// that a booking which a snapshot does not name is about to be missing. It is nil where a key that is new
// is a new booking: a source that does not list everybody and has numbers.
//
// The person must be the same by Same, and by the source's own number of the person where both rows have
// one. Beyond that one thing may differ: the time within two minutes, or because one of the two reports
// only the day (of a booking that is over only where both say so), when the names are Namesake; or the
// name, as closely as Same allows, when the source lists everybody and the key is made of it. A source that
// numbers people may correct the time by an hour. Where bookings have numbers, a name and a day are not
// enough: somebody can be let go and booked again, or another of that name, so the charges must be equal
// too, and the birth date or the number of the person known of both.
func Rekey(composite, lists bool) func(known, row Stay) bool {
	if !composite && !lists {
		return nil
	}
	return func(known, row Stay) bool {
		numbered := known.PersonKey != "" && row.PersonKey != ""
		if numbered && known.PersonKey != row.PersonKey || !Same(known.Person, row.Person) {
			return false
		}
		sameName := Namesake(known.Person, row.Person) || match.Fold(known.Name) == match.Fold(row.Name)
		gap := row.BookedAt.Sub(known.BookedAt).Abs()
		over := !known.Over || row.Over // somebody can be booked twice in a day
		switch {
		case StatesRestriction(known.Name) != StatesRestriction(row.Name): // a key is made of the name: the minute alone is left
			return gap == 0 && composite && lists && !models.DayAlone(row.BookedAt)
		case gap == 0 && composite && lists:
			return over || !models.DayAlone(row.BookedAt)
		case models.DayAlone(known.BookedAt) || models.DayAlone(row.BookedAt):
			return sameName && over && (composite || unchanged(known, row)) && sameDay(known.BookedAt, row.BookedAt)
		case gap <= Nearby:
			return sameName
		default:
			return numbered && composite && !lists && over && gap <= Reach
		}
	}
}

// unchanged reports whether a booking under another number is, but for its time, plainly the one that was known.
func unchanged(known, row Stay) bool {
	person := known.PersonKey != "" && known.PersonKey == row.PersonKey || known.DOB != nil && row.DOB != nil && *known.DOB == *row.DOB
	return person && slices.Equal(slices.Sorted(slices.Values(known.Charges)), slices.Sorted(slices.Values(row.Charges)))
}

// Reused reports whether a row reports a booking that began after the release of the one which its key named until now: the
// number was used again, perhaps for another person. A release stated by its day alone is over with that day. A person who
// comes back from an absence with the old time of booking never left.
func Reused(known *BookingRecord, row *snapshot.RosterRow) bool {
	if known.Released == nil || row.KeyOnly || !row.BookedAt.After(*known.Released) {
		return false
	}
	return !models.DayAlone(*known.Released) || day(row.BookedAt).After(day(*known.Released))
}

// OfEarlier reports whether a row repeats an earlier booking under a number that now names a later one: it
// says nothing new of either.
func OfEarlier(known *BookingRecord, earlier []BookingRecord, row *snapshot.RosterRow) bool {
	if row.ReleasedAt == nil || row.ReleasedAt.After(known.BookedAt) {
		return false
	}
	return slices.ContainsFunc(earlier, func(e BookingRecord) bool {
		return e.Released != nil && e.After == nil && e.BookedAt.Equal(row.BookedAt) && match.SearchKey(e.Name) == match.SearchKey(row.Name)
	})
}

// Contested is what becomes of a row under a known key, by the person that it speaks of.
type Contested uint8

// The outcomes.
const (
	Agrees     Contested = iota // the same person: all of the row counts
	OtherBirth                  // the name agrees and the birth does not: somebody of that name is still listed, and nothing else is believed
	Stranger                    // another person: the row is rejected
)

// Contest compares a row with the person of the booking that its key names. A release is not for a contested
// row to take back, unless it speaks of a juvenile.
func Contest(known *BookingRecord, row *snapshot.RosterRow) Contested {
	person := Person{Name: row.Name, DOB: row.DOB, Year: row.BirthYear}
	switch {
	case !row.KeyOnly && StatesRestriction(row.Name) && row.BookedAt.Sub(known.BookedAt).Abs() > 24*time.Hour+Reach:
		return Stranger // of another booking under the number, whoever that is
	case row.KeyOnly || Same(known.Person(), person):
		return Agrees
	case alike(known.Name, row.Name) && (known.Released == nil || row.Withheld == models.WithheldJuvenile):
		return OtherBirth
	default:
		return Stranger
	}
}

// ByChance reports whether two rows of one snapshot have one key by chance, where it is made of a name and a time: two
// people of one name who were booked on one day. A row that is reported twice has the same facts; one of which only
// one reports a release, or of which one leaves charges or bond out, are the same booking at two times.
func ByChance(row, anchor *snapshot.RosterRow) bool {
	if !row.SeenAt.Equal(anchor.SeenAt) {
		return false
	}
	ages := row.Age != 0 && anchor.Age != 0 && (row.Age-anchor.Age > 1 || anchor.Age-row.Age > 1)
	births := row.BirthYear != 0 && anchor.BirthYear != 0 && row.BirthYear != anchor.BirthYear
	if ages || births {
		return true
	}
	bonds := row.BondCents != nil && anchor.BondCents != nil && *row.BondCents != *anchor.BondCents
	a, b := sortedCharges(row.Charges), sortedCharges(anchor.Charges)
	return (row.ReleasedAt == nil) == (anchor.ReleasedAt == nil) && (bonds || len(a) > 0 && len(b) > 0 && !slices.Equal(a, b))
}

// sortedCharges are the different charges of a row.
func sortedCharges(charges []snapshot.Charge) []string {
	list := Descriptions(charges)
	slices.Sort(list)
	return slices.Compact(list)
}
