package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

const userColumns = `u.id, u.account_id, u.email, u.password, u.role, u.operator, u.created_at, u.last_sign_in`

func scanUser(row pgx.CollectableRow) (*models.User, error) {
	var u models.User
	err := row.Scan(&u.ID, &u.AccountID, &u.Email, &u.Password, &u.Role, &u.Operator, &u.CreatedAt, &u.LastSignIn)
	return &u, err
}

// oneUser reads the one user that a query finds.
func (s *Store) oneUser(ctx context.Context, where string, args ...any) (*models.User, error) {
	rows, err := s.Pool().Query(ctx, `select `+userColumns+` from users u where `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	u, err := pgx.CollectExactlyOneRow(rows, scanUser)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.NotFound("there is no such user")
	}
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	return u, nil
}

// UserByEmail gives the user with that address in any letter case.
func (s *Store) UserByEmail(ctx context.Context, email string) (*models.User, error) {
	return s.oneUser(ctx, `lower(u.email) = lower($1)`, strings.TrimSpace(email))
}

// User gives a user of an account.
func (s *Store) User(ctx context.Context, accountID, id string) (*models.User, error) {
	return s.oneUser(ctx, `u.id = $1 and u.account_id = $2`, id, accountID)
}

// Users gives the users of an account, oldest first.
func (s *Store) Users(ctx context.Context, accountID string) ([]*models.User, error) {
	rows, err := s.Pool().Query(ctx, `select `+userColumns+` from users u where account_id = $1 order by created_at, id`, accountID)
	if err != nil {
		return nil, fmt.Errorf("list users: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanUser)
	if err != nil {
		return nil, fmt.Errorf("list users: %w", err)
	}
	return all, nil
}

// SetPassword changes a user's password (its hash), u.Password with it, and ends every session of the user.
func (s *Store) SetPassword(ctx context.Context, u *models.User, hash string) error {
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		if err := setPassword(ctx, tx, u.ID, hash); err != nil {
			return err
		}
		return record(ctx, tx, models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "password changed"})
	})
	if err == nil {
		u.Password = hash
	}
	return err
}

// RenewPasswordHash stores another hash of the password that u was read with, and gives it to u. Sessions go on; a password that was
// changed since stays as it is.
func (s *Store) RenewPasswordHash(ctx context.Context, u *models.User, hash string) error {
	tag, err := s.Pool().Exec(ctx, `update users set password = $3 where id = $1 and password = $2`, u.ID, u.Password, hash)
	if err != nil {
		return fmt.Errorf("renew hash of password: %w", err)
	}
	if tag.RowsAffected() > 0 {
		u.Password = hash
	}
	return nil
}

func setPassword(ctx context.Context, tx pgx.Tx, userID, hash string) error {
	batch := &pgx.Batch{}
	batch.Queue(`update users set password = $2 where id = $1`, userID, hash)
	batch.Queue(`delete from sessions where user_id = $1`, userID)
	batch.Queue(`delete from sign_in_links where user_id = $1`, userID)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("change password: %w", err)
	}
	return nil
}

// SetRole changes the role of a user of by's account. Who is no owner any more loses the open links that only
// owners make. An account keeps at least one owner. was is the role that by knows of; another one is ErrChanged.
func (s *Store) SetRole(ctx context.Context, by *models.User, id string, was, role models.Role) error {
	return s.changeMember(ctx, by, id, role != models.Owner, func(tx pgx.Tx, u *models.User) (string, error) {
		if u.Role != was {
			return "", models.ErrChanged
		}
		if role != models.Owner {
			if err := endLinksOf(ctx, tx, u); err != nil {
				return "", err
			}
		}
		_, err := tx.Exec(ctx, `update users set role = $2 where id = $1`, id, role)
		return "role changed to " + string(role), err
	})
}

// RemoveUser takes a user out of by's account; what the user made stays, but for open invitations and reset
// links, which would let the user in again. An account keeps at least one owner.
func (s *Store) RemoveUser(ctx context.Context, by *models.User, id string) error {
	return s.changeMember(ctx, by, id, true, func(tx pgx.Tx, u *models.User) (string, error) {
		if err := endLinksOf(ctx, tx, u); err != nil {
			return "", err
		}
		_, err := tx.Exec(ctx, `delete from users where id = $1`, id)
		return "member removed", err
	})
}

// endLinksOf ends the open links that a user made for others.
func endLinksOf(ctx context.Context, tx pgx.Tx, u *models.User) error {
	_, err := tx.Exec(ctx, `delete from sign_in_links where account_id = $1 and used_at is null and lower(created_by) = lower($2)`, u.AccountID, u.Email)
	return err
}

// changeMember runs change on a user while the account's users are locked, and records what it says was done.
func (s *Store) changeMember(ctx context.Context, by *models.User, id string, losesOwner bool, change func(pgx.Tx, *models.User) (string, error)) error {
	return s.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select `+userColumns+` from users u where account_id = $1 order by id for update`, by.AccountID)
		if err != nil {
			return fmt.Errorf("lock members: %w", err)
		}
		all, err := pgx.CollectRows(rows, scanUser)
		if err != nil {
			return fmt.Errorf("lock members: %w", err)
		}
		var wanted *models.User
		owners := 0
		for _, u := range all {
			if u.ID == id {
				wanted = u
			}
			if u.Role == models.Owner {
				owners++
			}
		}
		switch {
		case wanted == nil:
			return models.NotFound("this account has no such member")
		case losesOwner && wanted.Role == models.Owner && owners == 1:
			return &models.Error{Code: models.CodeConflict, Message: "an account keeps at least one owner: make someone else an owner first"}
		}
		action, err := change(tx, wanted)
		if err != nil {
			return fmt.Errorf("change member: %w", err)
		}
		return record(ctx, tx, models.AccountEvent{AccountID: by.AccountID, At: s.Now(), Actor: by.Email, Action: action, Subject: wanted.Email})
	})
}
