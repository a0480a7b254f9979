package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
)

// runLock is the key of the advisory lock that is held while a source is being read.
const runLock = `hashtextextended('rollcall source ' || $1, 0)`

// LockSource keeps every other process from reading a source. The lock lives with a connection of its
// own, so it ends with the process, however that ends. ok is false when somebody else reads the source.
func (s *Store) LockSource(ctx context.Context, id string) (unlock func(), ok bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, s.Pool().Config().ConnConfig)
	if err != nil {
		return nil, false, fmt.Errorf("connect to lock source %s: %w", id, err)
	}
	unlock = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.ClosePatience)
		defer cancel()
		_, _ = conn.Exec(ctx, `select pg_advisory_unlock_all()`) // at once: a connection ends some time after it is closed
		_ = conn.Close(ctx)
	}
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock(`+runLock+`)`, id).Scan(&ok); err != nil {
		unlock()
		return nil, false, fmt.Errorf("lock source %s: %w", id, err)
	}
	if !ok {
		unlock()
		return nil, false, nil
	}
	return unlock, true, nil
}

// interrupt ends the runs of a source that nobody reads.
const interrupt = `update runs set state = 'failed', finished_at = $2, error = 'the process that read it ended' where source_id = $1 and state = 'running'`

// EndInterruptedOf ends the runs of a source whose process was killed. The caller holds the source's lock.
func (s *Store) EndInterruptedOf(ctx context.Context, sourceID string, now time.Time) error {
	if _, err := s.Pool().Exec(ctx, interrupt, sourceID, now); err != nil {
		return fmt.Errorf("end interrupted run of %s: %w", sourceID, err)
	}
	return nil
}

// EndInterrupted finds the runs whose process was killed: they are noted as running while nobody
// holds their source. They end as failed; either nothing of them was applied, or all of it (as it is one
// transaction), and to read the same again changes nothing.
// Their jobs become available again, so that the source is read at once and not when the queue
// gives the job up. It gives the sources.
func (s *Store) EndInterrupted(ctx context.Context, now time.Time) ([]string, error) {
	rows, err := s.Pool().Query(ctx, `select distinct source_id from runs where state = 'running' order by 1`)
	if err != nil {
		return nil, fmt.Errorf("look for interrupted runs: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for interrupted runs: %w", err)
	}
	var ended []string
	for _, id := range ids {
		err := s.InTx(ctx, func(tx pgx.Tx) error {
			var free bool
			if err := tx.QueryRow(ctx, `select pg_try_advisory_xact_lock(`+runLock+`)`, id).Scan(&free); err != nil || !free {
				return err
			}
			tag, err := tx.Exec(ctx, interrupt, id, now)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			ended = append(ended, id)
			_, err = tx.Exec(ctx, `update river_job set state = 'available', scheduled_at = now() where kind = 'feed' and state = 'running' and args->>'source' = $1`, id)
			return err
		})
		if err != nil {
			return ended, fmt.Errorf("end interrupted run of %s: %w", id, err)
		}
	}
	return ended, nil
}
