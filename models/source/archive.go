package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// BeginArchive makes room for the sealed chunks of a document and gives its number.
func (s *Store) BeginArchive(ctx context.Context, runID int64, a models.Archive) (int64, error) {
	var id int64
	err := s.Pool().QueryRow(ctx, `insert into archives (run_id, seq, name, sha256, bytes, fetched_at, observed_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
		runID, a.Seq, a.Name, a.SHA256, a.Bytes, a.Fetched, a.Observed, a.Expires).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("archive document of run %d: %w", runID, err)
	}
	return id, nil
}

// AddArchiveChunk keeps one sealed chunk of a document.
func (s *Store) AddArchiveChunk(ctx context.Context, archiveID int64, seq int, sealed []byte) error {
	if _, err := s.Pool().Exec(ctx, `insert into archive_chunks (archive_id, seq, sealed) values ($1, $2, $3)`, archiveID, seq, sealed); err != nil {
		return fmt.Errorf("archive chunk %d: %w", seq, err)
	}
	return nil
}

// Archives lists the documents of a run in their order; those of a replay are the ones it replayed.
// The list is empty when they have expired.
func (s *Store) Archives(ctx context.Context, runID int64) ([]models.Archive, error) {
	rows, err := s.Pool().Query(ctx, `with recursive chain (id) as (select $1::bigint union select r.replay_of from runs r join chain c on c.id = r.id where r.replay_of is not null)
 select id, seq, name, sha256, bytes, fetched_at, observed_at, expires_at from archives where run_id in (select id from chain) order by seq`, runID)
	if err != nil {
		return nil, fmt.Errorf("list archive of run %d: %w", runID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[models.Archive])
}

// ArchiveChunks yields the sealed chunks of a document in order.
func (s *Store) ArchiveChunks(ctx context.Context, archiveID int64, yield func(sealed []byte) error) error {
	rows, err := s.Pool().Query(ctx, `select sealed from archive_chunks where archive_id = $1 order by seq`, archiveID)
	if err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	var sealed []byte
	if _, err := pgx.ForEachRow(rows, []any{&sealed}, func() error { return yield(sealed) }); err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	return nil
}
