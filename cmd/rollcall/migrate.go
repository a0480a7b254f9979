package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models/migrations"
)

// migrateCmd brings the schema forward without starting anything else. serve and work do so too; a separate
// command allows it to be a step of a deployment.
type migrateCmd struct{}

// Run applies the missing migrations under a lock. It refuses a database of a newer version, and of one before
// the first release, and leaves it as it is.
func (migrateCmd) Run(ctx context.Context, a *service.App) error {
	url, closeServer, err := a.Database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	if err := migrations.Up(ctx, url); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, "The database has the newest schema.")
	return err
}
