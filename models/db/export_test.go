package db

import "rollcall/models/db/sqlfile"

// Statements are those of the package, for the test that checks them.
func Statements() sqlfile.Set { return statements }
