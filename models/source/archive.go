package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db/joint"
)

// BeginArchive stores that a run received a document, and returns the number of its content. stored reports whether these
// bytes of the source are kept already. Otherwise the encrypted chunks follow, and EndArchive. The document is archived
// before it is read, so any run can be examined and replayed. The caller holds the lock of the source.
func (s *Store) BeginArchive(ctx context.Context, sourceID string, a Archive) (content int64, stored bool, err error) {
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		args := pgx.StrictNamedArgs{"source": sourceID, "digest": a.Digest}
		if err := tx.Pgx().QueryRow(ctx, statements.Get("archive_content"), args).Scan(&content, &stored); err != nil {
			return err
		}
		// A run that was killed may have left some of the chunks.
		if !stored {
			if err := tx.Gorm().Where("content_id = ?", content).Delete(&ArchiveChunk{}).Error; err != nil {
				return err
			}
		}
		a.ID, a.ContentID = 0, content
		return tx.Gorm().Create(&a).Error
	})
	if err != nil {
		return 0, false, fmt.Errorf("archive document of run %d: %w", a.RunID, err)
	}
	return content, stored, nil
}

// AddArchiveChunk stores one encrypted chunk of a content. seq counts from 0 and orders the chunks.
func (s *Store) AddArchiveChunk(ctx context.Context, content int64, seq int, encrypted []byte) error {
	if err := s.rows(ctx).Create(&ArchiveChunk{ContentID: content, Seq: seq, Encrypted: encrypted}).Error; err != nil {
		return fmt.Errorf("archive chunk %d: %w", seq, err)
	}
	return nil
}

// EndArchive records that all chunks of a content are stored, of so many bytes together. From then on other runs may refer
// to it.
func (s *Store) EndArchive(ctx context.Context, content, bytes int64) error {
	if err := s.rows(ctx).Model(&ArchiveContent{ID: content}).Update("stored", bytes).Error; err != nil {
		return fmt.Errorf("end archive: %w", err)
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

// ArchiveChunks yields the encrypted chunks of a content in order, one at a time, as a document may be
// larger than memory. An error of yield ends it and is wrapped.
func (s *Store) ArchiveChunks(ctx context.Context, content int64, yield func(encrypted []byte) error) error {
	rows, err := s.rows(ctx).Model(&ArchiveChunk{}).Select("encrypted").Where("content_id = ?", content).Order("seq").Rows()
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
