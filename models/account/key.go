package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
)

// CreateKey stores a new key of an existing account and sets k.ID and k.CreatedAt. Only the SHA-256 and the
// prefix of the secret are stored (DECISIONS.md, "Keys, plans, limits, errors"). The label has at most 100
// characters. A key without scopes gets all of them, and one that names no user was made by models.CommandLine. An account that does not exist is models.ErrNoAccount.
func (s *Store) CreateKey(ctx context.Context, k *models.APIKey) error {
	var err error
	if k.Label, err = models.NameText("label", k.Label, 100); err != nil {
		return err
	}
	if len(k.Scopes) == 0 {
		k.Scopes = models.Scopes()
	}
	k.CreatedBy = cmp.Or(k.CreatedBy, models.CommandLine)
	k.ID, k.CreatedAt = models.NewID("key"), s.Now().UTC()
	err = s.rows(ctx).Create(k).Error
	if errors.Is(err, gorm.ErrForeignKeyViolated) {
		return models.ErrNoAccount
	}
	if err != nil {
		return fmt.Errorf("create key: %w", err)
	}
	return nil
}

// KeyByHash returns the key with that SHA-256 and its account, revoked and expired keys too: package auth
// decides whether it is valid at this moment. An unknown key is CodeNotFound, which callers see as 401.
func (s *Store) KeyByHash(ctx context.Context, sha []byte) (*models.APIKey, *models.Account, error) {
	k, err := readKey(s.byKey(ctx).Where("sha256 = ?", sha), models.NotFound("there is no such key"))
	if err != nil {
		return nil, nil, err
	}
	a, err := readAccount(s.byKey(ctx).Where("id = ?", k.AccountID), models.ErrNoAccount)
	if err != nil {
		return nil, nil, err
	}
	return k, a, nil
}

// Key returns a key by its id; models.ErrNoKey when there is none. It does not look at the account: callers
// do.
func (s *Store) Key(ctx context.Context, id string) (*models.APIKey, error) {
	return readKey(s.rows(ctx).Where("id = ?", id), models.ErrNoKey)
}

// readKey reads the one key that q finds, or returns none.
func readKey(q *gorm.DB, none *models.Error) (*models.APIKey, error) {
	k, err := db.One[models.APIKey](q, none)
	if err != nil && !errors.Is(err, none) {
		return nil, fmt.Errorf("read key: %w", err)
	}
	return k, err
}

// Keys returns the keys of an account, or of all accounts when accountID is empty, newest first. Revoked and
// expired ones are among them.
func (s *Store) Keys(ctx context.Context, accountID string) ([]*models.APIKey, error) {
	q := s.rows(ctx).Order("created_at desc, id desc")
	if accountID != "" {
		q = q.Where("account_id = ?", accountID)
	}
	var all []*models.APIKey
	if err := q.Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return all, nil
}

// RevokeKey ends a key at the given time, which may be in the future while a new key replaces it. A key that
// ends earlier keeps its end. An unknown id is models.ErrNoKey.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) error {
	r := s.rows(ctx).Model(&models.APIKey{}).Where("id = ?", id).Update("revoked_at", gorm.Expr("least(revoked_at, ?)", at.UTC()))
	if r.Error != nil {
		return fmt.Errorf("revoke key: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return models.ErrNoKey
	}
	return nil
}

// RevokeKeysOf ends the keys of an account that a person of that e-mail address made, at the given time, and returns
// those that it ended. Keys that end earlier are not among them.
func (s *Store) RevokeKeysOf(ctx context.Context, accountID, email string, at time.Time) (ended []*models.APIKey, err error) {
	at = at.UTC()
	err = s.rows(ctx).Model(&ended).Clauses(clause.Returning{}).
		Where("account_id = ? and lower(created_by) = lower(?)", accountID, email).
		Where("(revoked_at is null or revoked_at > ?) and (expires_at is null or expires_at > ?)", at, at).
		Update("revoked_at", at).Error
	if err != nil {
		return nil, fmt.Errorf("revoke keys: %w", err)
	}
	return ended, nil
}

// EndKeyOnce ends a key at the given time, as RevokeKey does, unless its end is set already: that is
// CodeConflict. Of two who replace a key at once, one succeeds, and the other does not leave a second new key
// behind.
func (s *Store) EndKeyOnce(ctx context.Context, id string, at time.Time) error {
	r := s.rows(ctx).Model(&models.APIKey{}).Where("id = ? and revoked_at is null", id).Update("revoked_at", at.UTC())
	if r.Error != nil {
		return fmt.Errorf("end key: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return &models.Error{Code: models.CodeConflict, Message: "this key was replaced already; the new key was shown when it was created"}
	}
	return nil
}

// TouchKeys records when keys were last used, by id. Processes report in batches and in any order, so a later
// time on record stays. Unknown ids are ignored.
func (s *Store) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	ids, times := make([]string, 0, len(used)), make([]time.Time, 0, len(used))
	for id, at := range used {
		ids, times = append(ids, id), append(times, at.UTC())
	}
	if _, err := s.Pool().Exec(ctx, statements.Get("touch_keys"), pgx.NamedArgs{"ids": ids, "times": times}); err != nil {
		return fmt.Errorf("record use of keys: %w", err)
	}
	return nil
}
