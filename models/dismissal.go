package models

import (
	"slices"
	"strings"

	"rollcall/match"
)

// DismissScope is what a dismissal covers.
type DismissScope string

// The scopes of a dismissal.
const (
	// ThisPerson covers the bookings of one person, however the name is written.
	ThisPerson DismissScope = "person"
	// ThisSpelling covers everybody whose name is written that way.
	ThisSpelling DismissScope = "spelling"
)

// Spelling returns the same text for all names of the same words, in any order, case and punctuation.
func Spelling(name string) string {
	words := strings.Fields(match.Fold(name))
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Dismissal is whom a watcher never wants to hear of again: a person, or with Spelling everybody whose name is written so.
type Dismissal struct {
	RID       int64 // Booking.RID
	Name      string
	CountyID  int16
	Dob       *Date
	BirthYear *int
	Spelling  *string // of the name; nil: it is the person who was dismissed
	People    []int64 // records that a source or a confirmed link says are the same person's, of those asked about
}

// Subject is whom a record is about, as far as a dismissal asks.
type Subject struct {
	RID       int64 // Booking.RID
	Name      string
	CountyID  int16
	Dob       *Date
	BirthYear *int
}

// Covers reports whether a record is written as was dismissed or, without a spelling, is of the person: the same record; one that the source
// or a confirmed link says is the same person's; the same date of birth under a name that may be the same;
// or, where a date is not known, the same year, county and name. People who have nothing but a name in
// common are not held to be the same.
func (d *Dismissal) Covers(b *Subject) bool {
	switch {
	case d.Spelling != nil:
		return *d.Spelling == Spelling(b.Name)
	case d.RID == b.RID || slices.Contains(d.People, b.RID):
		return true
	case d.Dob != nil && b.Dob != nil:
		if *d.Dob != *b.Dob {
			return false
		}
		one, other := match.Parse(d.Name), match.Parse(b.Name)
		return match.Alike(&one, &other)
	case d.BirthYear != nil && b.BirthYear != nil:
		return *d.BirthYear == *b.BirthYear && d.CountyID == b.CountyID && match.SearchKey(d.Name) == match.SearchKey(b.Name)
	}
	return false
}
