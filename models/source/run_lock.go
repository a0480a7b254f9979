package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// LockSource keeps every other process from reading a source. The lock lives with a connection of its own, so
// it ends with the process, however that ends. ok is false, without an error, when another process reads the
// source; otherwise the caller must call unlock.
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
	if err := conn.QueryRow(ctx, statements.Get("lock_source"), pgx.NamedArgs{"source": id}).Scan(&ok); err != nil {
		unlock()
		return nil, false, fmt.Errorf("lock source %s: %w", id, err)
	}
	if !ok {
		unlock()
		return nil, false, nil
	}
	return unlock, true, nil
}

// EndInterruptedOf ends the runs of a source whose process was killed. The caller holds the source's lock, so
// no running process can be meant.
func (s *Store) EndInterruptedOf(ctx context.Context, sourceID string, now time.Time) error {
	if _, err := interrupt(s.rows(ctx), sourceID, now); err != nil {
		return fmt.Errorf("end interrupted run of %s: %w", sourceID, err)
	}
	return nil
}

// interrupt ends the running runs of a source and its scopes as failed, and returns their number.
func interrupt(q *gorm.DB, sourceID string, now time.Time) (int64, error) {
	why := "the process that read it ended"
	r := q.Where("source_id in (select id from sources where ? in (id, parent)) and state = ?", sourceID, RunRunning).Select("State", "Finished", "Note").
		Updates(&Run{State: RunFailed, Finished: &now, Note: &why})
	return r.RowsAffected, r.Error
}

// EndInterrupted finds the runs whose process was killed: they are recorded as running while nobody holds the
// lock of their source. They end as failed. A run is one transaction, so either nothing of it was applied or
// all, and reading the same again changes nothing. Their jobs become available again, so that the source is
// read at once and not when the queue gives up the job. It returns the ids of the sources.
func (s *Store) EndInterrupted(ctx context.Context, now time.Time) (ended []string, err error) {
	var ids []string
	err = s.rows(ctx).Model(&Run{}).Where("state = ? and part_of is null", RunRunning).Distinct().Order("source_id").Pluck("source_id", &ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for interrupted runs: %w", err)
	}
	for _, id := range ids {
		err := s.Joint(ctx, func(tx *joint.Tx) error {
			var free bool
			err := tx.Pgx().QueryRow(ctx, statements.Get("lock_source_in_transaction"), pgx.NamedArgs{"source": id}).Scan(&free)
			if err != nil || !free {
				return err
			}
			n, err := interrupt(tx.Gorm(), id, now)
			if err != nil || n == 0 {
				return err
			}
			ended = append(ended, id)
			return db.FreeFeedJob(ctx, tx.Pgx(), id)
		})
		if err != nil {
			return ended, fmt.Errorf("end interrupted run of %s: %w", id, err)
		}
	}
	return ended, nil
}
