package snapshot

import "time"

// Rehearsal is the impact of a snapshot, for the operator who decides about it. It names people.
type Rehearsal struct {
	Applied
	Complete bool
	Gone     []Gone    // who would be released, or hidden in the corrections family; the first of them by name
	Fresh    []Gone    // who would be new; the first of them by name
	Altered  []Altered // whose facts would change otherwise; the first of them by name
	Alters   int       // how many there are of Altered in all
}

// Gone is a record that a snapshot would close, or make.
type Gone struct {
	ID       string     `json:"id"` // empty for a booking that is not made yet
	Name     string     `json:"name"`
	Since    *time.Time `json:"since"` // of the booking; null for other records
	Inferred bool       `json:"inferred"`
}

// Altered is a record whose published facts a snapshot would change.
type Altered struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Changes []FactChange `json:"changes"`
}

// FactChange is a fact as it is and as it would be, under its name in GraphQL and written as GraphQL writes it. nil: not set.
type FactChange struct {
	Field  string  `json:"field"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}
