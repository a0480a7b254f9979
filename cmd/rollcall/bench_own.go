package main

import (
	"context"
	"fmt"
	"os"

	"rollcall/internal/pg"
	"rollcall/internal/service"
)

// alone runs a measurement on an App of its own, whose embedded database is empty and is deleted after. A
// benchmark that changes records must never run on the data of an installation, so ROLLCALL_DATABASE_URL is
// ignored here.
func alone(ctx context.Context, a *service.App, measure func(own *service.App) error) (err error) {
	dir, err := os.MkdirTemp("", "rollcall-bench-*")
	if err != nil {
		return fmt.Errorf("make directory for the bench: %w", err)
	}
	// The database is removed also after an interrupt, hence a context that outlives the command's.
	defer func() {
		if removed := pg.Remove(context.WithoutCancel(ctx), dir); err == nil {
			err = removed
		}
		_ = os.RemoveAll(dir)
	}()
	own := *a
	own.DataDir, own.DatabaseURL = dir, ""
	return measure(&own)
}
