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

// Family is what the engine must know of a family of records: its tables, and the statements that it alone runs.
type Family struct {
	Kind    models.Family
	Claims  string   // table of its claims
	Records string   // table of its records
	Key     string   // column of a record's key
	ID      string   // column of a record's public id
	Parts   []string // tables of the parts of records
	First   string   // statement that a run makes right before it takes the family's lock; empty: none

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

// Statements are the statements of the family: those that all share, and its own.
func (f *Family) Statements() sqlfile.Set { return f.statements }

// tables are the tables that a first load fills.
func (f *Family) tables() []string { return append([]string{f.Records, f.Claims}, f.Parts...) }
