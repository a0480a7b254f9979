package claim

import "rollcall/models/db/sqlfile"

// statements are those of operators' actions.
var statements = shared

var noStatements = sqlfile.Set{}
