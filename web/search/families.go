package search

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"rollcall/models"
)

// The statuses of each family, as the form has them.
var (
	ofJails   = []string{"BOOKED", "RELEASED"}
	ofCourts  = []string{"PENDING", "WARRANT", "CLOSED"}
	ofPrisons = []string{"INCARCERATED", "PAROLED", "RELEASED"}
)

// has reports whether the status does not exclude a family that has some.
func (a *asked) has(statuses []string) bool {
	return a.Status == "" || slices.Contains(statuses, a.Status)
}

// numberOnly reports whether nothing but a number was typed: no list is searched then.
func (a *asked) numberOnly() bool { return a.Number != "" && a.Name == "" }

// narrowed reports whether something is asked that no other record than a booking states.
func (a *asked) narrowed() bool { return a.Set > 0 || a.Born > 0 || a.Day != nil }

// bookings returns what bookings are asked; nil: they are not searched.
func (a *asked) bookings() *models.RosterFilter {
	if a.numberOnly() || !a.has(ofJails) {
		return nil
	}
	f := a.narrow
	f.Name, f.County = models.NilIfEmpty(a.Name), models.NilIfEmpty(a.County)
	if a.Status != "" {
		f.Status = new(models.RosterStatus(strings.ToLower(a.Status)))
	}
	return &f
}

// cases returns what court cases are asked; nil: they are not searched.
func (a *asked) cases() *models.CourtFilter {
	if a.numberOnly() || a.narrowed() || !a.has(ofCourts) {
		return nil
	}
	f := &models.CourtFilter{Name: models.NilIfEmpty(a.Name), County: models.NilIfEmpty(a.County)}
	if a.Status != "" {
		f.Status = new(models.CourtStatus(strings.ToLower(a.Status)))
	}
	return f
}

// alone reports whether one family is searched, and the others are not.
func (a *asked) alone() bool {
	asked := 0
	for _, searched := range []bool{a.bookings() != nil, a.cases() != nil, a.offenders() != nil} {
		if searched {
			asked++
		}
	}
	return asked == 1
}

// offenders returns what state corrections are asked; nil: they are not searched. Their records are of no county.
func (a *asked) offenders() *models.CorrectionsFilter {
	if a.numberOnly() || a.narrowed() || a.County != "" || !a.has(ofPrisons) {
		return nil
	}
	f := &models.CorrectionsFilter{Name: models.NilIfEmpty(a.Name)}
	if a.Status != "" {
		f.Status = new(models.CorrectionsStatus(strings.ToLower(a.Status)))
	}
	return f
}

// statute is how a section of the code is typed, such as 16-5-21 or 40-6-391(a).
var statute = regexp.MustCompile(`(?i)^\d{1,2}-\d{1,2}-\d{1,3}(?:\.\d{1,2})?[a-z]?(?:\([a-z0-9]{1,3}\))*$`)

// charged returns the same search for bookings with the words of the name, or the statute that was typed, in a charge; nil: it is none
// for bookings, or has a charge or a birth already.
func (a *asked) charged() *asked {
	words := a.Name
	if a.numberOnly() && statute.MatchString(a.Number) {
		words = a.Number
	}
	if words == "" || a.narrow.Charge != nil || a.Born > 0 || a.Day != nil {
		return nil
	}
	by := *a
	by.Typed, by.Number, by.Name = "", "", ""
	by.Set++
	by.narrow.Charge = &words
	by.values = maps.Clone(a.values)
	by.values.Del("q")
	by.values.Set("charge", words)
	if by.bookings() == nil {
		return nil
	}
	return &by
}

// shortStart is up to which length a part of a case number is its beginning.
const shortStart = 3

// caseNumber returns the filter of cases with a part of a number.
func caseNumber(part string) models.CourtFilter {
	if len([]rune(part)) <= shortStart {
		return models.CourtFilter{CaseNumberStart: &part}
	}
	return models.CourtFilter{CaseNumberPart: &part}
}
