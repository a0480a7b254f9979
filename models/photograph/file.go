package photograph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// lostAgain is how soon a lost picture is asked for again. A replica that looks in the wrong place must not have hosts asked at
// each request.
const lostAgain = 5 * time.Minute

// PutFile stores that a picture lies in the vault, and returns what is known of it: it may be known as a placeholder. A picture
// that somebody has keeps the time at which it was brought first.
func (s *Store) PutFile(ctx context.Context, f File) (*File, error) {
	err := db.Raw(s.rows(ctx), statements, "put_file", pgx.StrictNamedArgs{
		"hash": f.Hash, "width": f.Width, "height": f.Height, "small_width": f.SmallWidth, "small_height": f.SmallHeight, "now": s.Now().UTC(),
	}).Scan(&f).Error
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

// LosePicture forgets a picture that is missing from the vault or damaged there: nobody has it from then on, and what came from an
// address is asked for again five minutes later. It reports whether somebody had it, so that each loss is reported once.
func (s *Store) LosePicture(ctx context.Context, hash string) (bool, error) {
	// The references come first: if the process ends in between, bringing the picture again mends the rest.
	args := pgx.StrictNamedArgs{"hash": hash, "again": s.Now().Add(lostAgain).UTC()}
	if _, err := db.Exec(s.rows(ctx), statements, "lost_references", args); err != nil {
		return false, fmt.Errorf("forget lost picture: %w", err)
	}
	had := 0
	for _, family := range []models.Family{models.Roster, models.Corrections} {
		n, err := s.needs.Lose(ctx, family, hash)
		if err != nil {
			return false, fmt.Errorf("forget lost picture: %w", err)
		}
		had += n
	}
	if had > 0 {
		s.lost.Add(1)
	}
	return had > 0, nil
}

// LostPictures returns how many pictures this process found missing or damaged.
func (s *Store) LostPictures() int64 { return s.lost.Load() }
