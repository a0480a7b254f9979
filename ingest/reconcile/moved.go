package reconcile

import (
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
)

// samePerson is how far the minute of a booking may be corrected where the source numbers people: within it
// nobody is booked, let go and booked again. Elsewhere models.Nearby holds.
const samePerson = time.Hour

// Moved gives the rule that tells whether a source writes a booking that it told before under a key that it
// never used: its name or its minute was corrected and the key is made of them, or its number was exchanged.
// composite says that the source's keys are made of facts, lists that it lists everybody, so that a booking
// which a snapshot does not name is about to be missing. It is nil where a key that is new is a new booking:
// a source that does not list everybody and has numbers (DECISIONS.md, "Alerts").
//
// The person must be the same by Same, and by the source's own number of the person where both rows have one.
// Beyond that one thing may differ: the time within two minutes, or because one of the two tells only the
// day (of a booking that is over only where both say so), when the names are Namesake; or the name, as closely
// as Same allows, when the source lists everybody and the key is made of it. A source that numbers people may correct the
// time by an hour. Where bookings have numbers, a name and a day are not enough: somebody can be let go and booked again, or
// another of that name, so the charges must be equal too, and the birth date or the number of the person known of both.
// Whether there is another candidate is for the caller to see.
func Moved(composite, lists bool) func(known, row models.Stay) bool {
	if !composite && !lists {
		return nil
	}
	return func(known, row models.Stay) bool {
		numbered := known.PersonKey != "" && row.PersonKey != ""
		if numbered && known.PersonKey != row.PersonKey || !Same(known.Identity, row.Identity) {
			return false
		}
		sameName := Namesake(known.Identity, row.Identity) || match.Fold(known.Name) == match.Fold(row.Name)
		gap := row.BookedAt.Sub(known.BookedAt).Abs()
		over := !known.Over || row.Over // somebody can be booked twice in a day
		switch {
		case gap == 0 && composite && lists:
			return over || !dayOnly(row.BookedAt)
		case dayOnly(known.BookedAt) || dayOnly(row.BookedAt):
			return sameName && over && (composite || unchanged(known, row)) && models.DateOf(known.BookedAt.In(models.Georgia)) == models.DateOf(row.BookedAt.In(models.Georgia))
		case gap <= models.Nearby:
			return sameName
		default:
			return numbered && composite && !lists && over && gap <= samePerson
		}
	}
}

// unchanged tells whether a booking under another number is, but for its time, plainly the one that was known.
func unchanged(known, row models.Stay) bool {
	person := known.PersonKey != "" && known.PersonKey == row.PersonKey || known.DOB != nil && row.DOB != nil && *known.DOB == *row.DOB
	return person && slices.Equal(slices.Sorted(slices.Values(known.Charges)), slices.Sorted(slices.Values(row.Charges)))
}

// dayOnly tells whether a time of booking is a day alone: midnight in Georgia.
func dayOnly(t time.Time) bool {
	hour, minute, second := t.In(models.Georgia).Clock()
	return hour == 0 && minute == 0 && second == 0
}
