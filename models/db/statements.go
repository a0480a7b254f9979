package db

import (
	"embed"

	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those about the job queue, whose tables are River's, and about turns at hosts.
var statements = sqlfile.Load(files)
