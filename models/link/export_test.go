package link

import "rollcall/models/db/sqlfile"

// Statements are the named statements, for the test that prepares each.
func Statements() sqlfile.Set { return statements }
