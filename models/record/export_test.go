package record

import (
	"rollcall/models"
	"rollcall/models/db/sqlfile"
)

// Statements are those of a family, for the test that checks them.
func Statements(f models.Family) sqlfile.Set { return statements[f] }
