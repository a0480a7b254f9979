package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CreateSession stores a session of a user, notes the sign-in, and drops sessions that have expired. Whose password is not the
// one that u was read with any more is refused: a new password ends the sessions of those who knew the old one, also of who is
// being signed in at that moment.
func (s *Store) CreateSession(ctx context.Context, u *models.User, n models.Session) error {
	now := s.Now().UTC()
	return s.InTx(ctx, func(tx pgx.Tx) error {
		if err := samePassword(ctx, tx, u); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`delete from sessions where expires_at <= $1`, now)
		batch.Queue(`insert into sessions (sha256, user_id, created_at, seen_at, expires_at, agent) values ($1, $2, $3, $3, $4, $5)`,
			n.SHA256, u.ID, now, n.ExpiresAt, n.Agent)
		batch.Queue(`update users set last_sign_in = $2 where id = $1`, u.ID, now)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("create session: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "signed in"})
	})
}

// samePassword refuses a user who has another password by now, or is gone, and holds off a change of it until the transaction ends.
func samePassword(ctx context.Context, tx pgx.Tx, u *models.User) error {
	tag, err := tx.Exec(ctx, `select from users where id = $1 and password = $2 for no key update`, u.ID, u.Password)
	if err != nil {
		return fmt.Errorf("look for a change of the password: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return &models.Error{Code: models.CodeUnauthorized, Message: "the password was changed at this moment; sign in with the new one"}
	}
	return nil
}

// SessionByHash gives a session that has not expired, with its user and account.
func (s *Store) SessionByHash(ctx context.Context, sha []byte) (*models.Session, *models.User, *models.Account, error) {
	n := models.Session{SHA256: sha}
	var u models.User
	var a models.Account
	err := s.Pool().QueryRow(ctx, `select s.user_id, s.created_at, s.seen_at, s.expires_at, s.agent, `+userColumns+`,
 a.id, a.name, a.email, a.plan, a.rate_limit, a.created_at
 from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id where s.sha256 = $1 and s.expires_at > $2`, sha, s.Now()).
		Scan(&n.UserID, &n.CreatedAt, &n.SeenAt, &n.ExpiresAt, &n.Agent,
			&u.ID, &u.AccountID, &u.Email, &u.Password, &u.Role, &u.Operator, &u.CreatedAt, &u.LastSignIn,
			&a.ID, &a.Name, &a.Email, &a.Plan, &a.RateLimit, &a.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, nil, models.NotFound("there is no such session")
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read session: %w", err)
	}
	return &n, &u, &a, nil
}

// TouchSession notes that a session was used at a moment, and when it ends by itself.
func (s *Store) TouchSession(ctx context.Context, sha []byte, at, expires time.Time) error {
	if _, err := s.Pool().Exec(ctx, `update sessions set seen_at = $2, expires_at = $3 where sha256 = $1 and seen_at < $2`, sha, at, expires); err != nil {
		return fmt.Errorf("note use of session: %w", err)
	}
	return nil
}

// Sessions gives the sessions of a user that have not expired, last used first.
func (s *Store) Sessions(ctx context.Context, userID string) ([]models.Session, error) {
	rows, err := s.Pool().Query(ctx, `select sha256, user_id, created_at, seen_at, expires_at, agent from sessions
 where user_id = $1 and expires_at > $2 order by seen_at desc, created_at desc`, userID, s.Now())
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.Session])
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return all, nil
}

// EndSession ends one session; ending it again is fine.
func (s *Store) EndSession(ctx context.Context, sha []byte) error {
	if _, err := s.Pool().Exec(ctx, `delete from sessions where sha256 = $1`, sha); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// EndSessions ends every session of a user and every link that would sign the user in.
func (s *Store) EndSessions(ctx context.Context, u *models.User) error {
	return s.InTx(ctx, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`delete from sessions where user_id = $1`, u.ID)
		batch.Queue(`delete from sign_in_links where user_id = $1`, u.ID)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "signed out everywhere"})
	})
}
