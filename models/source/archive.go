package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// BeginArchive creates the entry of a document of a run and returns its number; the encrypted chunks follow.
// The document is archived before it is read, so any run can be examined and replayed.
func (s *Store) BeginArchive(ctx context.Context, runID int64, a Archive) (int64, error) {
	a.ID, a.RunID = 0, runID
	if err := s.rows(ctx).Create(&a).Error; err != nil {
		return 0, fmt.Errorf("archive document of run %d: %w", runID, err)
	}
	return a.ID, nil
}

// AddArchiveChunk stores one encrypted chunk of a document. seq counts from 0 and orders the chunks.
func (s *Store) AddArchiveChunk(ctx context.Context, archiveID int64, seq int, encrypted []byte) error {
	if err := s.rows(ctx).Create(&ArchiveChunk{ArchiveID: archiveID, Seq: seq, Encrypted: encrypted}).Error; err != nil {
		return fmt.Errorf("archive chunk %d: %w", seq, err)
	}
	return nil
}

// Archives returns the documents of a run in their order; of a replay those that it read again, of a scope
// those of its source. The list is empty when they have expired: then nothing can be replayed.
func (s *Store) Archives(ctx context.Context, runID int64) (all []Archive, err error) {
	sql, args := statements.Bind(ctx, "archives", pgx.StrictNamedArgs{"run": runID})
	if err := s.rows(ctx).Raw(sql, args...).Scan(&all).Error; err != nil {
		return nil, fmt.Errorf("list archive of run %d: %w", runID, err)
	}
	return all, nil
}

// ArchiveChunks yields the encrypted chunks of a document in order, one at a time, as a document may be
// larger than memory. An error of yield ends it and is wrapped.
func (s *Store) ArchiveChunks(ctx context.Context, archiveID int64, yield func(encrypted []byte) error) error {
	rows, err := s.rows(ctx).Model(&ArchiveChunk{}).Select("encrypted").Where("archive_id = ?", archiveID).Order("seq").Rows()
	if err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	defer func() { _ = rows.Close() }() // what failed is in Err
	for rows.Next() {
		var encrypted []byte
		if err := rows.Scan(&encrypted); err != nil {
			return fmt.Errorf("read archive: %w", err)
		}
		if err := yield(encrypted); err != nil {
			return fmt.Errorf("read archive: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	return nil
}
