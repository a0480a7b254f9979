package claim

import (
	"embed"

	"rollcall/models"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// shared are the statements that are alike for all families: a family's tables stand for {claims}, {records}, {key} and {id}.
var shared = sqlfile.Load(files)

// family is what the engine must know of a family of records: its tables, and the statements that it alone runs.
type family struct {
	kind    models.Family
	claims  string   // table of its claims
	records string   // table of its records
	key     string   // column of a record's key
	id      string   // column of a record's public id
	parts   []string // tables of the parts of records
	first   string   // statement that a run makes right before it takes the family's lock; empty: none

	statements sqlfile.Set
}

// newFamily returns a family with its own statements beside those that all families share.
func newFamily(f family, own sqlfile.Set) *family {
	f.statements = shared
	return f.with(own)
}

// with returns the family with more statements.
func (f family) with(own sqlfile.Set) *family {
	f.statements = f.statements.Join(own).With("{claims}", f.claims, "{records}", f.records, "{key}", f.key, "{id}", f.id)
	return &f
}

// namedStatements are the statements of the family: those that all share, and its own.
func (f *family) namedStatements() sqlfile.Set { return f.statements }

// tables are the tables that a first load fills.
func (f *family) tables() []string { return append([]string{f.records, f.claims}, f.parts...) }
