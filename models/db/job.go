package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// jobGroups are the groups in which operators look at jobs, by name, each with states of River.
// Every state of River is in one group.
var jobGroups = map[string][]string{
	"failed": {"retryable", "discarded"}, "running": {"running"}, "waiting": {"available", "scheduled", "pending"},
	"cancelled": {"cancelled"}, "done": {"completed"},
}

// JobQueues returns the figures of every queue that has jobs, by name. Finished jobs are counted
// for as long as River keeps them.
func (d *DB) JobQueues(ctx context.Context) ([]models.QueueState, error) {
	rows, err := d.plain.pool.Query(ctx, statements.Get("job_queues"))
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.QueueState])
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return all, nil
}

// JobState returns the state of a job in River's words. A job that River has removed, as it does
// some time after the end of each, is CodeNotFound.
func (d *DB) JobState(ctx context.Context, id int64) (state string, err error) {
	err = d.plain.pool.QueryRow(ctx, `select state::text from river_job where id = $1`, id).Scan(&state)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", models.NotFound("there is no such job any more")
	}
	if err != nil {
		return "", fmt.Errorf("read the state of a job: %w", err)
	}
	return state, nil
}

// Jobs returns up to limit jobs of a group (failed, running, waiting, cancelled, done), the latest event
// first. Another group is CodeInvalidParameter.
func (d *DB) Jobs(ctx context.Context, group string, limit int) ([]models.Job, error) {
	states, known := jobGroups[group]
	if !known {
		return nil, models.Invalid("state", fmt.Sprintf("state %.20q is not one of failed, running, waiting, cancelled, done", group))
	}
	rows, err := d.plain.pool.Query(ctx, statements.Get("jobs"), pgx.NamedArgs{"states": states, "limit": limit})
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.Job])
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	return all, nil
}

// FreeFeedJob makes the job of a source available again, in the transaction that ends its run. It
// is for a source that was being read when its process ended: River alone would wait until the job
// counts as stuck, and the county would be stale until then.
func FreeFeedJob(ctx context.Context, tx pgx.Tx, sourceID string) error {
	_, err := tx.Exec(ctx, statements.Get("free_job"), pgx.NamedArgs{"kind": "feed", "source": sourceID})
	if err != nil {
		return fmt.Errorf("free the job of source %s: %w", sourceID, err)
	}
	return nil
}
