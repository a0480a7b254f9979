package record

import "rollcall/models"

// The values that lists are narrowed by, in the order of their numbers in IndexRow.Facets, from 1.
// sql/index.sql and the comment of models.IndexRow have the same order: a value in another place would list
// other records than were asked for.
var (
	rosterStatuses      = []models.RosterStatus{models.Booked, models.Released}
	courtTypes          = []models.CourtType{models.StateCourt, models.SuperiorCourt, models.MagistrateCourt, models.WarrantsCourt}
	courtStatuses       = []models.CourtStatus{models.PendingCase, models.ClosedCase, models.WarrantCase, models.UnknownCase}
	categories          = []models.Category{models.Offender, models.Parolee, models.SexOffender}
	correctionsStatuses = []models.CorrectionsStatus{models.Incarcerated, models.Paroled, models.ReleasedByPrison, models.UnknownCustody}
)

// unknownFacet is the status unknown of cases and corrections records in IndexRow.Facets.
const unknownFacet = 4

// facet returns the number of a wanted value. A value that is none of them has the number after the last,
// which no record has: it matches nothing, as in SQL. Number 0 would match everything.
func facet[T comparable](values []T, want T) int16 {
	number := int16(1)
	for _, v := range values {
		if v == want {
			break
		}
		number++
	}
	return number
}

// knownFacet narrows a wanted status to what is known, as /v1 shows no unknown one: any is all but unknown,
// and nothing is both known and unknown. A negative facet excludes its number.
func knownFacet(want int16) int16 {
	switch want {
	case 0:
		return -unknownFacet
	case unknownFacet:
		return unknownFacet + 1
	default:
		return want
	}
}
