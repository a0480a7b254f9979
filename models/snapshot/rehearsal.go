package snapshot

import (
	"time"

	"rollcall/models"
)

// MostNews bounds how many changes of bookings a rehearsal hands over.
const MostNews = 20_000

// Rehearsal is the impact of a snapshot, for the operator who decides about it. It names people.
type Rehearsal struct {
	Applied
	Complete bool      // proven complete: absence may be read
	Gone     []Gone    // who would be released, or hidden in the corrections family; the first of them by name
	Fresh    []Gone    // who would be new; the first of them by name
	Altered  []Altered // whose facts would change otherwise; the first of them by name
	Alters   int       // how many there are of Altered in all
	News     News      // what watchers would be notified of
}

// News is what a snapshot has watchers notified of, as the matcher takes it.
type News struct {
	// Changes are the changes of bookings in their order, the first MostNews of them. Their ids are of no table any more.
	Changes []*models.Change
	// Notified are those who were sent what some of Changes take back.
	Notified []models.Notified
	// More is set where there are more than MostNews.
	More bool
}

// Gone is a record that a snapshot would close, or make.
type Gone struct {
	ID       string     `json:"id"`       // empty for a booking that is not made yet
	Name     string     `json:"name"`     // as published
	Since    *time.Time `json:"since"`    // of the booking; null for other records
	Inferred bool       `json:"inferred"` // the release would follow from absence
}

// Altered is a record whose published facts a snapshot would change.
type Altered struct {
	ID      string       `json:"id"`      // public id
	Name    string       `json:"name"`    // as published
	Changes []FactChange `json:"changes"` // in the order of the fields
}

// FactChange is a fact as it is and as it would be, under its name in GraphQL and written as GraphQL writes it. nil: not set.
type FactChange struct {
	Field  string  `json:"field"`  // its name in GraphQL
	Before *string `json:"before"` // as published now
	After  *string `json:"after"`  // as it would be published
}
