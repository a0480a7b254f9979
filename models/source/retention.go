package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Expired says what retention deleted.
type Expired struct {
	Documents int // archived documents of runs; several may have had the same content
	Rows      int // quarantined rows
	// Needed are the sources of which documents were deleted that a held snapshot or a row in quarantine needed: it cannot be
	// applied or read again any more.
	Needed []string
}

// ExpireRaw deletes archived documents and quarantined rows whose time is over (guarantee 11 in docs/architecture.md).
// Contents without any document left go with them. Reports of runs and records stay. A job calls it.
func (s *Store) ExpireRaw(ctx context.Context, now time.Time) (e Expired, err error) {
	if e.Needed, err = list[string](ctx, s, "needed_and_expired", pgx.StrictNamedArgs{"now": now}); err != nil {
		return e, fmt.Errorf("expire archives: %w", err)
	}
	if e.Documents, err = s.expire(ctx, &Archive{}, now); err != nil {
		return e, fmt.Errorf("expire archives: %w", err)
	}
	if err := s.dropContents(ctx); err != nil {
		return e, err
	}
	if e.Rows, err = s.expire(ctx, &QuarantineEntry{}, now); err != nil {
		return e, fmt.Errorf("expire quarantine: %w", err)
	}
	return e, nil
}

// ShrinkArchive deletes archived documents, the oldest first, until their encrypted contents take at most so many bytes.
// Documents that a held snapshot or a row in quarantine needs go last. Those of runs that go on stay. A job calls it.
func (s *Store) ShrinkArchive(ctx context.Context, most int64) (e Expired, err error) {
	var size int64
	if err := s.Pool().QueryRow(ctx, statements.Get("archive_size")).Scan(&size); err != nil {
		return e, fmt.Errorf("measure archive: %w", err)
	}
	if size <= most {
		return e, nil
	}
	err = s.Pool().QueryRow(ctx, statements.Get("shrink_archive"), pgx.NamedArgs{"over": size - most}).Scan(&e.Documents, &e.Needed)
	if err != nil {
		return e, fmt.Errorf("shrink archive: %w", err)
	}
	return e, s.dropContents(ctx)
}

// dropContents deletes the contents to which no document refers, a batch at a time.
func (s *Store) dropContents(ctx context.Context) error {
	for n := db.ExpireBatch; n == db.ExpireBatch; {
		err := s.Joint(ctx, func(tx *joint.Tx) error {
			// A run may refer to one between the first statement and the second, which then lets it be.
			rows, err := tx.Pgx().Query(ctx, statements.Get("lock_unused_contents"), pgx.NamedArgs{"batch": db.ExpireBatch})
			if err != nil {
				return err
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			_, err = tx.Pgx().Exec(ctx, statements.Get("delete_unused_contents"), pgx.NamedArgs{"ids": ids})
			return err
		})
		if err != nil {
			return fmt.Errorf("delete unused contents of archives: %w", err)
		}
	}
	return nil
}

// expire deletes the rows of a model whose time is over, a batch at a time, so that no statement locks long.
func (s *Store) expire(ctx context.Context, model any, now time.Time) (n int, err error) {
	for {
		over := s.rows(ctx).Model(model).Select("id").Where("expires_at <= ?", now).Order("expires_at").Limit(db.ExpireBatch)
		r := s.rows(ctx).Where("id in (?)", over).Delete(model)
		if r.Error != nil {
			return n, r.Error
		}
		if n += int(r.RowsAffected); r.RowsAffected < db.ExpireBatch {
			return n, nil
		}
	}
}
