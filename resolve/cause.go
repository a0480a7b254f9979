package resolve

import (
	"slices"

	"rollcall/models"
)

// Known is who a record is about, with whatever is known of the birth.
type Known struct {
	Name string       // as the record has it
	DOB  *models.Date // nil: unknown
	Year int16        // of birth; set whenever DOB is, 0: unknown
}

// MayBe reports whether the person of a record that could be published may be the one of a withheld record: the names
// are alike, and the births do not clearly speak against it. Two bookings are made one only where that is certain; to
// publish a juvenile it is enough that it was not, so here the doubt falls the other way. A birth of the
// open record is believed where the withheld record states none.
func MayBe(open, withheld Known) bool {
	switch {
	case open.DOB != nil && withheld.DOB != nil:
		if open.DOB.Conflicts(*withheld.DOB) || !slip(open.DOB.Year, withheld.DOB.Year) {
			return false
		}
	case open.Year != 0:
		if withheld.Year == 0 || !slip(int(open.Year), int(withheld.Year)) {
			return false
		}
	}
	return alike(open.Name, withheld.Name)
}

// slip reports whether one year of birth can be the other, mistyped: one digit differs, or they are next to each other. Only a
// court's number of the booking leads to a record that states another birth (docs/decisions/0012).
func slip(a, b int) bool {
	if a-b == 1 || b-a == 1 {
		return true
	}
	differ := 0
	for ; a > 0 || b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			differ++
		}
	}
	return differ <= 1
}

// ProvenAdult reports whether a source states the age of an adult for a booking: it is not asked whether the person may be a
// withheld juvenile.
func ProvenAdult(claims []*BookingClaim) bool {
	return slices.ContainsFunc(claims, func(c *BookingClaim) bool { return !c.Age.AdultAt.IsZero() })
}
