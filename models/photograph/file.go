package photograph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models/db"
)

// PutFile stores that a picture lies in the vault, and returns what is known of it: it may be known as a placeholder.
func (s *Store) PutFile(ctx context.Context, f File) (*File, error) {
	f.TakenAt = s.Now().UTC()
	err := s.rows(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "hash"}}, DoUpdates: clause.AssignmentColumns([]string{"taken_at"}),
	}).Create(&f).Error
	if err == nil {
		err = s.rows(ctx).Take(&f, "hash = ?", f.Hash).Error
	}
	if err != nil {
		return nil, fmt.Errorf("store picture: %w", err)
	}
	return &f, nil
}

// KnownPlaceholder reports whether a picture is known as one that many people have.
func (s *Store) KnownPlaceholder(ctx context.Context, hash string) (bool, error) {
	var f File
	err := s.rows(ctx).Take(&f, "hash = ?", hash).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up picture: %w", err)
	}
	return f.Placeholder, nil
}

// ShowsSomebody reports whether a picture has a row and is no placeholder: all others are shown to nobody.
func (s *Store) ShowsSomebody(ctx context.Context, hash string) (bool, error) {
	var n int64
	if err := s.rows(ctx).Model(&File{}).Where("hash = ? and not placeholder", hash).Count(&n).Error; err != nil {
		return false, fmt.Errorf("look up picture: %w", err)
	}
	return n > 0, nil
}

// MarkPlaceholder stores that a picture shows nobody, and when those who had it are asked for again. claim.Store, EndPhotographs, takes it away from claims.
func (s *Store) MarkPlaceholder(ctx context.Context, hash string, again time.Time) error {
	if _, err := db.Exec(s.rows(ctx), statements, "mark_placeholder", pgx.StrictNamedArgs{"hash": hash, "again": again}); err != nil {
		return fmt.Errorf("mark placeholder: %w", err)
	}
	return nil
}

// UnusedFiles returns the hashes of pictures that nobody has and that were brought before an instant.
func (s *Store) UnusedFiles(ctx context.Context, before time.Time) (hashes []string, err error) {
	if err = db.Raw(s.rows(ctx), statements, "unused_files", pgx.StrictNamedArgs{"before": before}).Scan(&hashes).Error; err != nil {
		return nil, fmt.Errorf("list unused pictures: %w", err)
	}
	return hashes, nil
}

// ForgetFile deletes the row of a picture, unless somebody has it by now. It reports whether it did: the caller deletes the
// picture then.
func (s *Store) ForgetFile(ctx context.Context, hash string, before time.Time) (bool, error) {
	n, err := db.Exec(s.rows(ctx), statements, "forget_file", pgx.StrictNamedArgs{"hash": hash, "before": before})
	if err != nil {
		return false, fmt.Errorf("forget picture: %w", err)
	}
	return n > 0, nil
}
