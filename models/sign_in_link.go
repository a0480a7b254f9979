package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// LinkKind is what a sign-in link is for.
type LinkKind string

// The kinds of sign-in links.
const (
	Invitation LinkKind = "invitation" // makes a user; works once
	Reset      LinkKind = "reset"      // sets a new password; works once
	Enter      LinkKind = "enter"      // signs in without a password, as often as wanted: the demo's
)

// SignInLink is an address with a secret that lets its holder in. Of the secret only the SHA-256 is stored.
type SignInLink struct {
	SHA256    []byte
	Kind      LinkKind
	AccountID string
	UserID    *string // whom it is for; nil: an invitation
	Email     string
	Role      Role
	Operator  bool
	CreatedBy string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
}

// CreateSignInLink stores a link; l.CreatedAt is set. A member of the account cannot be invited. Of an address that
// belongs to another account nothing is told here: owners must not learn who else uses the service.
func (s *Store) CreateSignInLink(ctx context.Context, l *SignInLink) error {
	l.Email, l.CreatedAt = strings.TrimSpace(l.Email), s.now().UTC()
	if err := emailAddress(l.Email); err != nil {
		return err
	}
	if l.Kind == Invitation {
		switch u, err := s.UserByEmail(ctx, l.Email); {
		case err == nil && u.AccountID == l.AccountID:
			return &Error{Code: CodeConflict, Message: "whoever has this e-mail address is a member of this account already", Field: "email"}
		case err != nil && CodeOf(err) != CodeNotFound:
			return err
		}
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `insert into sign_in_links (sha256, kind, account_id, user_id, email, role, operator, created_by, created_at, expires_at)
 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, l.SHA256, l.Kind, l.AccountID, l.UserID, l.Email, l.Role, l.Operator, l.CreatedBy, l.CreatedAt, l.ExpiresAt)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23503" {
			return NotFound("there is no account with this id; list them with: rollcall account list")
		}
		if err != nil {
			return fmt.Errorf("create sign-in link: %w", err)
		}
		action := map[LinkKind]string{Invitation: "invitation made", Reset: "password reset link made", Enter: "sign-in link made"}[l.Kind]
		return record(ctx, tx, AccountEvent{AccountID: l.AccountID, At: l.CreatedAt, Actor: l.CreatedBy, Action: action, Subject: l.Email})
	})
}

const linkFields = `sha256, kind, account_id, user_id, email, role, operator, created_by, created_at, expires_at, used_at`

// SignInLink gives a link of that kind that still works.
func (s *Store) SignInLink(ctx context.Context, kind LinkKind, sha []byte) (*SignInLink, error) {
	return openLink(ctx, s.pool, kind, sha, s.now(), "")
}

// HasEnterLink says whether a user can sign in by a link that works as often as wanted.
func (s *Store) HasEnterLink(ctx context.Context, userID string) (bool, error) {
	var has bool
	err := s.pool.QueryRow(ctx, `select exists (select from sign_in_links where user_id = $1 and kind = $2 and used_at is null and expires_at > $3)`, userID, Enter, s.now().UTC()).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for a sign-in link: %w", err)
	}
	return has, nil
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func openLink(ctx context.Context, from querier, kind LinkKind, sha []byte, now time.Time, lock string) (*SignInLink, error) {
	rows, err := from.Query(ctx, `select `+linkFields+` from sign_in_links where sha256 = $1 and kind = $2 and used_at is null and expires_at > $3`+lock, sha, kind, now)
	if err != nil {
		return nil, fmt.Errorf("read sign-in link: %w", err)
	}
	l, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByPos[SignInLink])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, NotFound("this link was used, has expired or was taken back; ask for a new one")
	}
	if err != nil {
		return nil, fmt.Errorf("read sign-in link: %w", err)
	}
	return l, nil
}

// OpenLinks gives the invitations and reset links of an account that still work, newest first.
func (s *Store) OpenLinks(ctx context.Context, accountID string) ([]*SignInLink, error) {
	rows, err := s.pool.Query(ctx, `select `+linkFields+` from sign_in_links
 where account_id = $1 and kind in ('invitation', 'reset') and used_at is null and expires_at > $2 order by created_at desc, sha256`, accountID, s.now())
	if err != nil {
		return nil, fmt.Errorf("list open links: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[SignInLink])
	if err != nil {
		return nil, fmt.Errorf("list open links: %w", err)
	}
	return all, nil
}

// takenBack are the kinds of links that are taken back, as the trail says it.
var takenBack = map[LinkKind]string{Invitation: "invitation taken back", Reset: "password reset link taken back"}

// TakeBackLink ends an open link of by's account, of kind Invitation or Reset, and gives its kind. Others to the same address stay.
func (s *Store) TakeBackLink(ctx context.Context, by *User, sha []byte) (kind LinkKind, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		var email string
		now := s.now()
		err := tx.QueryRow(ctx, `delete from sign_in_links where sha256 = $1 and account_id = $2 and kind in ('invitation', 'reset') and used_at is null and expires_at > $3
 returning kind, email`, sha, by.AccountID, now).Scan(&kind, &email)
		if errors.Is(err, pgx.ErrNoRows) {
			return NotFound("this link is not open: it was used, has ended, or was taken back before")
		}
		if err != nil {
			return fmt.Errorf("take back a link: %w", err)
		}
		return record(ctx, tx, AccountEvent{AccountID: by.AccountID, At: now, Actor: by.Email, Action: takenBack[kind], Subject: email})
	})
	return kind, err
}

// AcceptInvitation uses up an invitation and makes its user with the hash of a password.
func (s *Store) AcceptInvitation(ctx context.Context, sha []byte, hash string) (*User, error) {
	var u *User
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		now := s.now().UTC()
		l, err := openLink(ctx, tx, Invitation, sha, now, ` for update`)
		if err != nil {
			return err
		}
		u = &User{ID: newID("user"), AccountID: l.AccountID, Email: l.Email, Password: hash, Role: l.Role, Operator: l.Operator, CreatedAt: now}
		batch := &pgx.Batch{}
		batch.Queue(`insert into users (id, account_id, email, password, role, operator, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
			u.ID, u.AccountID, u.Email, u.Password, u.Role, u.Operator, u.CreatedAt)
		batch.Queue(`update sign_in_links set used_at = $2 where kind = 'invitation' and account_id = $3 and lower(email) = lower($1) and used_at is null`, l.Email, now, l.AccountID)
		err = tx.SendBatch(ctx, batch).Close()
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23505" {
			return &Error{Code: CodeConflict, Field: "email", Message: "this e-mail address belongs to another account, and can belong to one only; " +
				"sign in there with it, or ask whoever invited you for an invitation to another address"}
		}
		if err != nil {
			return fmt.Errorf("accept invitation: %w", err)
		}
		return record(ctx, tx, AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "invitation accepted"})
	})
	return u, err
}

// ResetPassword uses up a reset link: the user gets the hash of a new password; every session ends and every passkey goes.
func (s *Store) ResetPassword(ctx context.Context, sha []byte, hash string) (*User, error) {
	var u *User
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		now := s.now().UTC()
		l, err := openLink(ctx, tx, Reset, sha, now, ` for update`)
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
		return record(ctx, tx, AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "password reset"})
	})
	return u, err
}
