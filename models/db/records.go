package db

import "rollcall/models"

// RecordTable is where the records of a family stand: their table and its key.
type RecordTable struct{ Name, Key string }

// RecordTables are the tables of the families.
var RecordTables = map[models.Family]RecordTable{
	models.Roster: {"bookings", "rid"}, models.Courts: {"court_cases", "id"}, models.Corrections: {"corrections_records", "cid"},
}
