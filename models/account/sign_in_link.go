package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rollcall/models"
)

// CreateSignInLink stores a link; l.CreatedAt is set. A member of the account cannot be invited. Of an address that
// belongs to another account nothing is told here: owners must not learn who else uses the service.
func (s *Store) CreateSignInLink(ctx context.Context, l *models.SignInLink) error {
	l.Email, l.CreatedAt = strings.TrimSpace(l.Email), s.Now().UTC()
	if err := models.EmailAddress(l.Email); err != nil {
		return err
	}
	if l.Kind == models.Invitation {
		switch u, err := s.UserByEmail(ctx, l.Email); {
		case err == nil && u.AccountID == l.AccountID:
			return &models.Error{Code: models.CodeConflict, Message: "whoever has this e-mail address is a member of this account already", Field: "email"}
		case err != nil && models.CodeOf(err) != models.CodeNotFound:
			return err
		}
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `insert into sign_in_links (sha256, kind, account_id, user_id, email, role, operator, created_by, created_at, expires_at)
 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, l.SHA256, l.Kind, l.AccountID, l.UserID, l.Email, l.Role, l.Operator, l.CreatedBy, l.CreatedAt, l.ExpiresAt)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23503" {
			return models.NotFound("there is no account with this id; list them with: rollcall account list")
		}
		if err != nil {
			return fmt.Errorf("create sign-in link: %w", err)
		}
		action := map[models.LinkKind]string{models.Invitation: "invitation made", models.Reset: "password reset link made", models.Enter: "sign-in link made"}[l.Kind]
		return record(ctx, tx, models.AccountEvent{AccountID: l.AccountID, At: l.CreatedAt, Actor: l.CreatedBy, Action: action, Subject: l.Email})
	})
}

const linkFields = `sha256, kind, account_id, user_id, email, role, operator, created_by, created_at, expires_at, used_at`

// SignInLink gives a link of that kind that still works.
func (s *Store) SignInLink(ctx context.Context, kind models.LinkKind, sha []byte) (*models.SignInLink, error) {
	return openLink(ctx, s.Pool(), kind, sha, s.Now(), "")
}

// HasEnterLink says whether a user can sign in by a link that works as often as wanted.
func (s *Store) HasEnterLink(ctx context.Context, userID string) (bool, error) {
	var has bool
	err := s.Pool().QueryRow(ctx, `select exists (select from sign_in_links where user_id = $1 and kind = $2 and used_at is null and expires_at > $3)`, userID, models.Enter, s.Now().UTC()).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for a sign-in link: %w", err)
	}
	return has, nil
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func openLink(ctx context.Context, from querier, kind models.LinkKind, sha []byte, now time.Time, lock string) (*models.SignInLink, error) {
	rows, err := from.Query(ctx, `select `+linkFields+` from sign_in_links where sha256 = $1 and kind = $2 and used_at is null and expires_at > $3`+lock, sha, kind, now)
	if err != nil {
		return nil, fmt.Errorf("read sign-in link: %w", err)
	}
	l, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByPos[models.SignInLink])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.NotFound("this link was used, has expired or was taken back; ask for a new one")
	}
	if err != nil {
		return nil, fmt.Errorf("read sign-in link: %w", err)
	}
	return l, nil
}

// OpenLinks gives the invitations and reset links of an account that still work, newest first.
func (s *Store) OpenLinks(ctx context.Context, accountID string) ([]*models.SignInLink, error) {
	rows, err := s.Pool().Query(ctx, `select `+linkFields+` from sign_in_links
 where account_id = $1 and kind in ('invitation', 'reset') and used_at is null and expires_at > $2 order by created_at desc, sha256`, accountID, s.Now())
	if err != nil {
		return nil, fmt.Errorf("list open links: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[models.SignInLink])
	if err != nil {
		return nil, fmt.Errorf("list open links: %w", err)
	}
	return all, nil
}

// takenBack are the kinds of links that are taken back, as the trail says it.
var takenBack = map[models.LinkKind]string{models.Invitation: "invitation taken back", models.Reset: "password reset link taken back"}

// TakeBackLink ends an open link of by's account, of kind Invitation or Reset, and gives its kind. Others to the same address stay.
func (s *Store) TakeBackLink(ctx context.Context, by *models.User, sha []byte) (kind models.LinkKind, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		var email string
		now := s.Now()
		err := tx.QueryRow(ctx, `delete from sign_in_links where sha256 = $1 and account_id = $2 and kind in ('invitation', 'reset') and used_at is null and expires_at > $3
 returning kind, email`, sha, by.AccountID, now).Scan(&kind, &email)
		if errors.Is(err, pgx.ErrNoRows) {
			return models.NotFound("this link is not open: it was used, has ended, or was taken back before")
		}
		if err != nil {
			return fmt.Errorf("take back a link: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: by.AccountID, At: now, Actor: by.Email, Action: takenBack[kind], Subject: email})
	})
	return kind, err
}

// AcceptInvitation uses up an invitation and makes its user with the hash of a password.
func (s *Store) AcceptInvitation(ctx context.Context, sha []byte, hash string) (*models.User, error) {
	var u *models.User
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		now := s.Now().UTC()
		l, err := openLink(ctx, tx, models.Invitation, sha, now, ` for update`)
		if err != nil {
			return err
		}
		u = &models.User{ID: models.NewID("user"), AccountID: l.AccountID, Email: l.Email, Password: hash, Role: l.Role, Operator: l.Operator, CreatedAt: now}
		batch := &pgx.Batch{}
		batch.Queue(`insert into users (id, account_id, email, password, role, operator, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
			u.ID, u.AccountID, u.Email, u.Password, u.Role, u.Operator, u.CreatedAt)
		batch.Queue(`update sign_in_links set used_at = $2 where kind = 'invitation' and account_id = $3 and lower(email) = lower($1) and used_at is null`, l.Email, now, l.AccountID)
		err = tx.SendBatch(ctx, batch).Close()
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23505" {
			return &models.Error{Code: models.CodeConflict, Field: "email", Message: "this e-mail address belongs to another account, and can belong to one only; " +
				"sign in there with it, or ask whoever invited you for an invitation to another address"}
		}
		if err != nil {
			return fmt.Errorf("accept invitation: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "invitation accepted"})
	})
	return u, err
}

// ResetPassword uses up a reset link: the user gets the hash of a new password; every session ends and every passkey goes.
func (s *Store) ResetPassword(ctx context.Context, sha []byte, hash string) (*models.User, error) {
	var u *models.User
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		now := s.Now().UTC()
		l, err := openLink(ctx, tx, models.Reset, sha, now, ` for update`)
		if err != nil {
			return err
		}
		if u, err = s.User(ctx, l.AccountID, *l.UserID); err != nil {
			return err
		}
		if err := setPassword(ctx, tx, u.ID, hash); err != nil { // ends the link too
			return err
		}
		u.Password = hash
		// Whoever had the password may have added a passkey.
		if _, err := tx.Exec(ctx, `delete from passkeys where user_id = $1`, u.ID); err != nil {
			return fmt.Errorf("remove passkeys: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "password reset"})
	})
	return u, err
}
