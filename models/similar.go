package models

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
