package models

import (
	"slices"

	"rollcall/match"
)

// Dismissal is a person whom a watcher never wants to hear of again.
type Dismissal struct {
	RID       int64 // Booking.RID
	Name      string
	CountyID  int16
	Dob       *Date
	BirthYear *int
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

// Covers reports whether a record is of the person who was dismissed: the same record; one that the source
// or a confirmed link says is the same person's; the same date of birth under a name that may be the same;
// or, where a date is not known, the same year, county and name. People who have nothing but a name in
// common are not held to be the same.
func (d *Dismissal) Covers(b *Subject) bool {
	switch {
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
