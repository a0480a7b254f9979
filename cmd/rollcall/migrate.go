package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models/migrations"
)

type migrateCmd struct{}

// Run brings the database to the newest schema.
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
