package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rollcall/models"
)

// mostPasskeys is how many a user may have.
const mostPasskeys = 20

const deviceFields = `id, user_id, name, credential, created_at, last_used`

// Passkeys gives the passkeys of a user, oldest first.
func (s *Store) Passkeys(ctx context.Context, userID string) ([]models.Passkey, error) {
	rows, err := s.Pool().Query(ctx, `select `+deviceFields+` from passkeys where user_id = $1 order by created_at, id`, userID)
	if err != nil {
		return nil, fmt.Errorf("list passkeys: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.Passkey])
	if err != nil {
		return nil, fmt.Errorf("list passkeys: %w", err)
	}
	return all, nil
}

// PasskeyOwner gives the user with that id, which a passkey holds.
func (s *Store) PasskeyOwner(ctx context.Context, userID string) (*models.User, error) {
	if models.PlainText("user", userID) != nil {
		return nil, models.NotFound("there is no such user")
	}
	return s.oneUser(ctx, `u.id = $1`, userID)
}

// AddPasskey stores a passkey of u.
func (s *Store) AddPasskey(ctx context.Context, u *models.User, k models.Passkey) error {
	var err error
	if k.Name, err = models.NameText("name", k.Name, 100); err != nil {
		return err
	}
	if k.Name == "" {
		return models.Invalid("name", "give the passkey the name of its device")
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		if err := samePassword(ctx, tx, u); err != nil { // a link for a new one takes passkeys away, also one that is being added
			return err
		}
		now := s.Now().UTC()
		tag, err := tx.Exec(ctx, `insert into passkeys (id, user_id, name, credential, created_at)
 select $1, $2, $3, $4, $5 where (select count(*) from passkeys where user_id = $2) < $6`, k.ID, u.ID, k.Name, k.Credential, now, mostPasskeys)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23505" {
			return &models.Error{Code: models.CodeConflict, Message: "this passkey is known already"}
		}
		if err != nil {
			return fmt.Errorf("add passkey: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf("a user has at most %d passkeys; remove one first", mostPasskeys)}
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "passkey added", Subject: k.Name})
	})
}

// UsedPasskey keeps what a use changed of a passkey.
func (s *Store) UsedPasskey(ctx context.Context, id, credential []byte) error {
	if _, err := s.Pool().Exec(ctx, `update passkeys set credential = $2, last_used = $3 where id = $1`, id, credential, s.Now().UTC()); err != nil {
		return fmt.Errorf("note use of passkey: %w", err)
	}
	return nil
}

// RemovePasskey takes a passkey of u away.
func (s *Store) RemovePasskey(ctx context.Context, u *models.User, id []byte) error {
	return s.InTx(ctx, func(tx pgx.Tx) error {
		var name string
		err := tx.QueryRow(ctx, `delete from passkeys where id = $1 and user_id = $2 returning name`, id, u.ID).Scan(&name)
		if errors.Is(err, pgx.ErrNoRows) {
			return models.NotFound("you have no such passkey")
		}
		if err != nil {
			return fmt.Errorf("remove passkey: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "passkey removed", Subject: name})
	})
}

// OpenChallenge stores a challenge, and drops those that have expired.
func (s *Store) OpenChallenge(ctx context.Context, c models.PasskeyChallenge) error {
	batch := &pgx.Batch{}
	batch.Queue(`delete from passkey_challenges where expires_at <= $1`, s.Now())
	batch.Queue(`insert into passkey_challenges (challenge, user_id, session, expires_at) values ($1, $2, $3, $4)`, c.Challenge, c.UserID, c.Session, c.ExpiresAt)
	if err := s.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("open challenge: %w", err)
	}
	return nil
}

// TakeChallenge gives an open challenge, which is used up by that.
func (s *Store) TakeChallenge(ctx context.Context, challenge string) (*models.PasskeyChallenge, error) {
	if models.PlainText("challenge", challenge) != nil {
		return nil, models.NotFound("there is no such challenge")
	}
	c := models.PasskeyChallenge{Challenge: challenge}
	err := s.Pool().QueryRow(ctx, `delete from passkey_challenges where challenge = $1 and expires_at > $2 returning user_id, session, expires_at`, challenge, s.Now()).
		Scan(&c.UserID, &c.Session, &c.ExpiresAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.NotFound("there is no such challenge")
	}
	if err != nil {
		return nil, fmt.Errorf("take challenge: %w", err)
	}
	return &c, nil
}
