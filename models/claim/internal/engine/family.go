package engine

import (
	"embed"

	"rollcall/models"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// shared are the statements that are alike for all families: a family's tables stand for {claims}, {records}, {key} and {id}.
var shared = sqlfile.Load(files)

// Family is what the engine must know of a family of records: its tables, and the statements that it alone runs. It does not
// change once made and is safe for concurrent use.
type Family struct {
	Kind models.Family
	// Claims is the table of the family's claims.
	Claims string
	// Records is the table of its records.
	Records string
	// Key is the column of a record's key, a number that never leaves the service.
	Key string
	// ID is the column of a record's public id.
	ID string
	// Parts are the tables of the parts of records: charges, hearings, dispositions.
	Parts []string
	// First is the statement that a run makes right before it takes the family's lock; empty: none.
	First string

	statements sqlfile.Set
}

// NewFamily returns a family with its own statements beside those that all families share. It panics where two have one name.
func NewFamily(f Family, own sqlfile.Set) *Family {
	f.statements = shared
	return f.With(own)
}

// With returns the family with more statements, of operators' actions on its records.
func (f Family) With(own sqlfile.Set) *Family {
	f.statements = f.statements.Join(own).With("{claims}", f.Claims, "{records}", f.Records, "{key}", f.Key, "{id}", f.ID)
	return &f
}

// Statements returns the statements of the family: those that all share, and its own.
func (f *Family) Statements() sqlfile.Set { return f.statements }

// tables returns the tables that a first load fills: records, claims and parts.
func (f *Family) tables() []string { return append([]string{f.Records, f.Claims}, f.Parts...) }
