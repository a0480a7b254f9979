package models

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"rollcall/match"
)

// Person is one person as the links of records have it: the published records that sure links join (resolve/person). There is no table of people. Its
// id is that of a record, and any record of the person finds it.
type Person struct {
	ID         string   // of the state record, else of the earliest booking, else of a case
	Name       string   // as that record writes it
	OtherNames []string // other ways in which its records write the name; never nil
	Dob        *Date    // nil: no record states it in full, or two of them differ
	BirthYear  *int     // nil: no record states it, or two of them differ
	Stays      []*Booking
	Cases      []*CourtCase
	Sentences  []*CorrectionsRecord
	Links      []*PersonLink // that join its records
	Possible   []*PersonLink // from its records to others, which may be somebody else's
	Cut        bool          // more than person.MaxRecords were found, and the others are left out
}

// PersonLink is a link from a record of a person to another one.
type PersonLink struct {
	From, To   *PersonRecord
	Confidence Confidence
	Reasons    []string // never nil
}

// RecordRef names a record within the program: by its family and internal key.
type RecordRef struct {
	Family Family
	Key    int64
}

// PersonRecord is a record of any family; exactly one of the three is set.
type PersonRecord struct {
	Booking     *Booking
	Case        *CourtCase
	Corrections *CorrectionsRecord
}

// ID is the id of the record in GraphQL.
func (r *PersonRecord) ID() string {
	switch {
	case r.Booking != nil:
		return r.Booking.ID
	case r.Case != nil:
		return r.Case.ID()
	}
	return r.Corrections.ID()
}

// PublicID is the id by which decisions of operators name the record: that of the department for its own.
func (r *PersonRecord) PublicID() string {
	if r.Corrections != nil {
		return r.Corrections.GdcID
	}
	return r.ID()
}

// Ref names the record within the program.
func (r *PersonRecord) Ref() RecordRef {
	switch {
	case r.Booking != nil:
		return RecordRef{Roster, r.Booking.RID}
	case r.Case != nil:
		return RecordRef{Courts, r.Case.Key}
	}
	return RecordRef{Corrections, r.Corrections.CID}
}

// Name is the name of the person as the record writes it.
func (r *PersonRecord) Name() string {
	switch {
	case r.Booking != nil:
		return r.Booking.Name
	case r.Case != nil:
		return r.Case.Defendant
	}
	return r.Corrections.Name
}

// FromID is the id of the person's own record.
func (l *PersonLink) FromID() string { return l.From.ID() }

// ToID is the id of the other record.
func (l *PersonLink) ToID() string { return l.To.ID() }

// RosterRecord is the other record if it is a booking.
func (l *PersonLink) RosterRecord() *Booking { return l.To.Booking }

// CourtCase is the other record if it is a court case.
func (l *PersonLink) CourtCase() *CourtCase { return l.To.Case }

// CorrectionsRecord is the other record if it is one of the corrections department.
func (l *PersonLink) CorrectionsRecord() *CorrectionsRecord { return l.To.Corrections }

// PeopleFilter says which people a list has.
type PeopleFilter struct {
	Name   string  // as filters of records have it
	County *string // slug; nil: all of Georgia
}

// Bounds of a page of people, in records that it comes from.
const (
	DefaultPeople = 20
	MaxPeople     = 50
)

// MaxPersonHits is how many hits on a person are shown.
const MaxPersonHits = 50

// PeoplePage is a page of the people under a name.
type PeoplePage struct {
	People   []*Person
	PageInfo PageInfo
}

// PeopleAt checks which page of people is wanted; nil is the default.
func PeopleAt(limit *int, after *string) (Page, error) {
	p := Page{Limit: DefaultPeople}
	if limit != nil {
		p.Limit = *limit
	}
	if after != nil {
		p.After = *after
	}
	if p.Limit < 1 || p.Limit > MaxPeople {
		return Page{}, Invalid("limit", fmt.Sprintf("limit must be between 1 and %d", MaxPeople))
	}
	return p, nil
}

// NewPerson sums up the records of one person. Stays are then newest first and cases latest filed first, as in their lists.
func NewPerson(records []*PersonRecord, links, possible []*PersonLink, isCut bool) *Person {
	p := &Person{Stays: []*Booking{}, Cases: []*CourtCase{}, Sentences: []*CorrectionsRecord{}, Links: links, Possible: possible, Cut: isCut}
	for _, r := range records {
		switch {
		case r.Booking != nil:
			p.Stays = append(p.Stays, r.Booking)
		case r.Case != nil:
			p.Cases = append(p.Cases, r.Case)
		default:
			p.Sentences = append(p.Sentences, r.Corrections)
		}
	}
	slices.SortFunc(p.Stays, func(a, b *Booking) int {
		return cmp.Or(b.BookingDate.Compare(a.BookingDate), cmp.Compare(b.ID, a.ID))
	})
	slices.SortFunc(p.Cases, func(a, b *CourtCase) int {
		return cmp.Or(cmp.Compare(b.FiledDate.String(), a.FiledDate.String()), cmp.Compare(a.CaseNumber, b.CaseNumber),
			cmp.Compare(a.County.ID, b.County.ID), cmp.Compare(a.Key, b.Key))
	})
	slices.SortFunc(p.Sentences, func(a, b *CorrectionsRecord) int { return cmp.Compare(a.GdcID, b.GdcID) })
	p.name()
	p.birth()
	return p
}

// Records are those of the person, the one whose id it has first.
func (p *Person) Records() []*PersonRecord {
	var all []*PersonRecord
	for _, o := range p.Sentences {
		all = append(all, &PersonRecord{Corrections: o})
	}
	for _, b := range slices.Backward(p.Stays) {
		all = append(all, &PersonRecord{Booking: b})
	}
	for _, c := range slices.Backward(p.Cases) {
		all = append(all, &PersonRecord{Case: c})
	}
	return all
}

// Record is the record of the person with an id in GraphQL, or one that is possible; nil: there is none.
func (p *Person) Record(id string) *PersonRecord {
	all := p.Records()
	for _, l := range p.Possible {
		all = append(all, l.To)
	}
	if i := slices.IndexFunc(all, func(r *PersonRecord) bool { return r.ID() == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// name sets the id and the names. Two names of the same letters in the same order are one.
func (p *Person) name() {
	p.OtherNames = []string{}
	seen := map[string]bool{}
	for _, r := range p.Records() {
		switch key := match.SearchKey(r.Name()); {
		case p.ID == "":
			p.ID, p.Name, seen[key] = r.ID(), r.Name(), true
		case !seen[key]:
			p.OtherNames, seen[key] = append(p.OtherNames, r.Name()), true
		}
	}
}

// birth sets what all records agree on that state it. Courts publish none.
func (p *Person) birth() {
	dates, years := map[Date]bool{}, map[int]bool{}
	note := func(dob *Date, year *int) {
		if dob != nil {
			dates[*dob] = true
			year = &dob.Year
		}
		if year != nil {
			years[*year] = true
		}
	}
	for _, b := range p.Stays {
		note(b.Dob, b.BirthYear)
	}
	for _, o := range p.Sentences {
		note(o.Dob, o.BirthYear)
	}
	p.Dob, p.BirthYear = only(dates), only(years)
}

// only returns the single value of a set, nil for none or several.
func only[K comparable](set map[K]bool) *K {
	if len(set) == 1 {
		for k := range set {
			return &k
		}
	}
	return nil
}

// Status is whether a jail still holds the person; nil: there is no stay.
func (p *Person) Status() *RosterStatus {
	if len(p.Stays) == 0 {
		return nil
	}
	held := Released
	if slices.ContainsFunc(p.Stays, func(b *Booking) bool { return b.Status == Booked }) {
		held = Booked
	}
	return &held
}

// NextHearing is the first hearing of its cases that lies ahead; nil: none is scheduled.
func (p *Person) NextHearing() *time.Time {
	var next *time.Time
	for _, c := range p.Cases {
		if c.NextHearing != nil && (next == nil || c.NextHearing.Before(*next)) {
			next = c.NextHearing
		}
	}
	return next
}
