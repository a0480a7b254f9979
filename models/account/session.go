package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// CreateSession stores a session of a user, notes the sign-in, and drops sessions that have expired. If the
// user's password is not the one that u was read with, it is CodeUnauthorized: a new password ends the
// sessions of those who knew the old one, also of one who is signing in at that moment.
func (s *Store) CreateSession(ctx context.Context, u *models.User, n models.Session) error {
	now := s.Now().UTC()
	n.UserID, n.CreatedAt, n.SeenAt = u.ID, now, now
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := samePassword(tx, u); err != nil {
			return err
		}
		if err := tx.Gorm().Where("expires_at <= ?", now).Delete(&models.Session{}).Error; err != nil {
			return fmt.Errorf("drop expired sessions: %w", err)
		}
		if err := tx.Gorm().Create(&n).Error; err != nil {
			return fmt.Errorf("create session: %w", err)
		}
		if err := tx.Gorm().Model(&models.User{}).Where("id = ?", u.ID).Update("last_sign_in", now).Error; err != nil {
			return fmt.Errorf("note sign-in: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "signed in"})
	})
}

// signedIn is a session with its user and that user's account, read by one statement: it runs with every
// page.
type signedIn struct {
	models.Session
	User member `gorm:"foreignKey:UserID"`
}

// member is a user with the account, as GORM joins them.
type member struct {
	models.User
	Account models.Account `gorm:"foreignKey:AccountID"`
}

// SessionByHash returns the session with that SHA-256, with its user and account. One that has ended or
// expired is CodeNotFound, which sends the reader to the sign-in page.
func (s *Store) SessionByHash(ctx context.Context, sha []byte) (*models.Session, *models.User, *models.Account, error) {
	none := models.NotFound("there is no such session")
	n, err := db.One[signedIn](s.byLink(ctx).InnerJoins("User").InnerJoins("User.Account").
		Where("sessions.sha256 = ? and sessions.expires_at > ?", sha, s.Now()), none)
	switch {
	case errors.Is(err, none):
		return nil, nil, nil, err
	case err != nil:
		return nil, nil, nil, fmt.Errorf("read session: %w", err)
	}
	return &n.Session, &n.User.User, &n.User.Account, nil
}

// TouchSession notes that a session was used at a time, and when it ends without further use. A later use on
// record stays: pages of one browser load in parallel.
func (s *Store) TouchSession(ctx context.Context, sha []byte, at, expires time.Time) error {
	err := s.byLink(ctx).Model(&models.Session{}).Where("sha256 = ? and seen_at < ?", sha, at).
		Select("SeenAt", "ExpiresAt").Updates(models.Session{SeenAt: at, ExpiresAt: expires}).Error
	if err != nil {
		return fmt.Errorf("note use of session: %w", err)
	}
	return nil
}

// Sessions returns the sessions of a user that have not expired, last used first.
func (s *Store) Sessions(ctx context.Context, userID string) ([]models.Session, error) {
	var all []models.Session
	err := s.rows(ctx).Where("user_id = ? and expires_at > ?", userID, s.Now()).Order("seen_at desc, created_at desc").Find(&all).Error
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return all, nil
}

// EndSession ends one session. Ending it again is no error.
func (s *Store) EndSession(ctx context.Context, sha []byte) error {
	if err := s.rows(ctx).Where("sha256 = ?", sha).Delete(&models.Session{}).Error; err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// EndSessions ends every session of a user and every link that would sign the user in, at once and in all
// processes.
func (s *Store) EndSessions(ctx context.Context, u *models.User) error {
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := endSessions(tx, u.ID); err != nil {
			return err
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "signed out everywhere"})
	})
}
