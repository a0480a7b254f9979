package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// CreateKey stores a new key of an existing account; k.ID and k.CreatedAt are set.
func (s *Store) CreateKey(ctx context.Context, k *models.APIKey) error {
	var err error
	if k.Label, err = models.NameText("label", k.Label, 100); err != nil {
		return err
	}
	k.ID, k.CreatedAt = models.NewID("key"), s.Now().UTC()
	err = s.Gorm().WithContext(ctx).Create(k).Error
	if errors.Is(err, gorm.ErrForeignKeyViolated) {
		return models.NotFound("there is no account with this id; list them with: rollcall account list")
	}
	if err != nil {
		return fmt.Errorf("create key: %w", err)
	}
	return nil
}

// KeyByHash gives the key with that SHA-256 and its account, revoked and expired ones too.
func (s *Store) KeyByHash(ctx context.Context, sha []byte) (*models.APIKey, *models.Account, error) {
	var k models.APIKey
	err := s.Gorm().WithContext(ctx).Where("sha256 = ?", sha).Take(&k).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil, models.NotFound("there is no such key")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read key: %w", err)
	}
	a, err := s.Account(ctx, k.AccountID)
	if err != nil {
		return nil, nil, err
	}
	return &k, a, nil
}

// Key gives a key by its id.
func (s *Store) Key(ctx context.Context, id string) (*models.APIKey, error) {
	var k models.APIKey
	err := s.Gorm().WithContext(ctx).Where("id = ?", id).Take(&k).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, noKey()
	}
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	return &k, nil
}

func noKey() error {
	return models.NotFound("there is no key with this id; list them with: rollcall key list")
}

// Keys gives the keys of an account, or of all when accountID is empty, newest first.
func (s *Store) Keys(ctx context.Context, accountID string) ([]*models.APIKey, error) {
	q := s.Gorm().WithContext(ctx).Order("created_at desc, id desc")
	if accountID != "" {
		q = q.Where("account_id = ?", accountID)
	}
	var all []*models.APIKey
	if err := q.Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return all, nil
}

// RevokeKey ends a key at the given moment, which may lie ahead (an overlap). A key that ended
// earlier keeps its end.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) error {
	r := s.Gorm().WithContext(ctx).Exec(`update api_keys set revoked_at = least(revoked_at, ?) where id = ?`, at.UTC(), id)
	if r.Error != nil {
		return fmt.Errorf("revoke key: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return noKey()
	}
	return nil
}

// EndKeyOnce ends a key at the given moment, as RevokeKey does, unless its end is set already: that is a conflict. Of two
// who replace a key at once, one succeeds.
func (s *Store) EndKeyOnce(ctx context.Context, id string, at time.Time) error {
	r := s.Gorm().WithContext(ctx).Exec(`update api_keys set revoked_at = ? where id = ? and revoked_at is null`, at.UTC(), id)
	if r.Error != nil {
		return fmt.Errorf("end key: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return &models.Error{Code: models.CodeConflict, Message: "this key is being replaced already; the new one was shown when it was made"}
	}
	return nil
}

// TouchKeys records when keys were last used; a later time already on record stays.
func (s *Store) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	ids, times := make([]string, 0, len(used)), make([]time.Time, 0, len(used))
	for id, at := range used {
		ids, times = append(ids, id), append(times, at.UTC())
	}
	_, err := s.Pool().Exec(ctx, `update api_keys k set last_used = u.at from unnest($1::text[], $2::timestamptz[]) u(id, at)
 where k.id = u.id and (k.last_used is null or k.last_used < u.at)`, ids, times)
	if err != nil {
		return fmt.Errorf("record use of keys: %w", err)
	}
	return nil
}
