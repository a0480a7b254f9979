package alert

import "rollcall/models/db/sqlfile"

// Statements are the package's statements, for the test that checks them.
func Statements() sqlfile.Set { return statements }
