package claim

import (
	"embed"

	"rollcall/models"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are the named statements of a family: its tables stand for {claims}, {records}, {key} and {id}.
type statements struct{ sqlfile.Set }

// get is the statement of a name.
func (s statements) get(name string) string { return s.Get(name) }

// tables are where a family's records are.
type tables struct {
	claims, records, key, id string
	parts                    []string // of records
}

// tablesOf are the tables of the families: claims, records, and the columns of a record's key and public id.
var tablesOf = map[models.Family]tables{
	models.Roster:      {"roster_claims", "bookings", "rid", "id", []string{"booking_charges"}},
	models.Courts:      {"court_claims", "court_cases", "id", "id", []string{"hearings", "dispositions", "case_charges"}},
	models.Corrections: {"corrections_claims", "corrections_records", "cid", "gdc_id", nil},
}

// all are the tables that a first load fills.
func (t tables) all() []string { return append([]string{t.records, t.claims}, t.parts...) }

// sqlOf are the statements of the families.
var sqlOf = func() map[models.Family]statements {
	loaded, all := sqlfile.Load(files), map[models.Family]statements{}
	for family, t := range tablesOf {
		all[family] = statements{loaded.With("{claims}", t.claims, "{records}", t.records, "{key}", t.key, "{id}", t.id)}
	}
	return all
}()
