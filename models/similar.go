package models

import "rollcall/match"

// SimilarAsked is for whose name similar ones are looked for, and which of them are wanted.
type SimilarAsked struct {
	Name   string
	County *string // slug; nil: all of Georgia
	// Born leaves out bookings that state another birth; the zero Birth leaves out none.
	Born match.Birth
	// Skip is how many of the likeliest are left out, and Limit how many follow them.
	Skip, Limit int
}

// SimilarNames are bookings under names that are similar to one, the likeliest first. Names may hold fewer than Total.
type SimilarNames struct {
	Total int
	Days  int // that were looked at
	Names []*SimilarName
}

// SimilarName is a booking under a similar name, and why it is similar.
type SimilarName struct {
	Record      *Booking
	Probability float64
	Reasons     []string
}
