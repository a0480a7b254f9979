package models

// Actor is who does something: a user on a page, or a program with an API key. The zero Actor is a program of the service.
type Actor struct {
	UserID, KeyID string // at most one of them is given
}
