package db

import "rollcall/models"

// OfVerdict joins a verdict v with its case c.
const OfVerdict = `(c.county_id, c.court_type, c.case_number, c.party) = (v.county_id, v.court_type, v.case_number, v.party)`

// RecordTable is where the records of a family stand: their table and its key.
type RecordTable struct{ Name, Key string }

// RecordTables are the tables of the families.
var RecordTables = map[models.Family]RecordTable{
	models.Roster: {"bookings", "rid"}, models.Courts: {"court_cases", "id"}, models.Corrections: {"corrections_records", "cid"},
}
