package delivery

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
)

// errNoWebhook is for an endpoint that does not exist, was deleted, or is another account's.
var errNoWebhook = models.NotFound("there is no webhook with this id")

// of narrows endpoints to webhooks of an account that are not deleted.
func of(accountID string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("account_id = ? and way = ? and deleted_at is null", accountID, models.ByWebhook)
	}
}

// CreateWebhook stores a new endpoint of an account. With the first one the account gets sealedSecret as its
// webhook secret, which is a new secret encrypted by notifier.Sealer; a secret that it has stays. Fields out
// of range are models.Error, and more than models.MaxWebhooks endpoints CodeConflict. Whether the address is
// public is checked by the caller, and at each connection again.
func (s *Store) CreateWebhook(ctx context.Context, accountID string, n *models.NewWebhook, sealedSecret []byte) (*models.Webhook, error) {
	now := s.Moment()
	h := &models.Webhook{
		ID: models.NewID("wh"), AccountID: accountID, Way: models.ByWebhook, PayloadVersion: 1, Notices: []models.Notice{},
		Status: models.WebhookActive, Digest: models.DigestNone, Bin: n.Bin, CreatedAt: now,
	}
	if n.Bin != nil {
		h.URL, n.URL = h.BinURL(), h.BinURL()
	}
	if err := h.Apply(models.WebhookChange{URL: &n.URL, Events: &n.Events, PayloadVersion: n.PayloadVersion, Notices: &n.Notices, Paused: &n.Paused}); err != nil {
		return nil, err
	}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		secret := &models.WebhookSecret{AccountID: accountID, Current: sealedSecret, CreatedAt: now}
		if err := tx.Gorm().Clauses(clause.OnConflict{DoNothing: true}).Create(secret).Error; err != nil {
			return err
		}
		// The secret's row is also the lock that makes the count exact.
		if _, err := db.One[models.WebhookSecret](tx.Gorm().Clauses(locked).Where("account_id = ?", accountID), models.ErrNoAccount); err != nil {
			return err
		}
		var others int64
		if err := tx.Gorm().Model(&models.Webhook{}).Scopes(of(accountID)).Count(&others).Error; err != nil {
			return err
		}
		if others >= models.MaxWebhooks {
			return &models.Error{
				Code:    models.CodeConflict,
				Message: fmt.Sprintf("the account has %d webhooks, which is the most it may have; delete some first", models.MaxWebhooks),
			}
		}
		if err := onlyBin(tx, h); err != nil {
			return err
		}
		return tx.Gorm().Create(h).Error
	})
	if err != nil {
		return nil, db.Known("create webhook", err)
	}
	return h, nil
}

// Webhooks returns one page of an account's endpoints, newest first, with the exact total of the same
// snapshot. p.After is not used.
func (s *Store) Webhooks(ctx context.Context, accountID string, p models.Page) (*models.WebhookPage, error) {
	out := &models.WebhookPage{Limit: p.Limit, Offset: p.Offset}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		// One snapshot for both.
		if err := tx.Gorm().Exec(`set transaction isolation level repeatable read, read only`).Error; err != nil {
			return err
		}
		var total int64
		if err := tx.Gorm().Model(&models.Webhook{}).Scopes(of(accountID)).Count(&total).Error; err != nil {
			return err
		}
		out.Total = int(total)
		return tx.Gorm().Scopes(of(accountID)).Order("created_at desc, id desc").Limit(p.Limit).Offset(p.Offset).Find(&out.Webhooks).Error
	})
	if err != nil {
		return nil, fmt.Errorf("list webhooks: %w", err)
	}
	return out, nil
}

// Webhook returns an endpoint of the account; a deleted one is CodeNotFound.
func (s *Store) Webhook(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	h, err := db.One[models.Webhook](s.rows(ctx).Scopes(of(accountID)).Where("id = ?", id), errNoWebhook)
	return h, db.Known("read webhook", err)
}

// WebhooksByID returns those of the account's endpoints that ids name, deleted ones too, in the order of ids:
// it shows what a delivery belongs to.
func (s *Store) WebhooksByID(ctx context.Context, accountID string, ids []string) ([]*models.Webhook, error) {
	var found []*models.Webhook
	if err := s.rows(ctx).Where("id = any (?) and account_id = ?", column.Array[string](ids), accountID).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	return db.ByID(found, ids, func(h *models.Webhook) string { return h.ID }), nil
}

// UpdateWebhook changes an endpoint of the account and returns it as it then is. What is under way goes to
// the new address. If c.Seen is set and the endpoint has changed since, it is models.ErrChanged.
func (s *Store) UpdateWebhook(ctx context.Context, accountID, id string, c models.WebhookChange) (*models.Webhook, error) {
	return s.withWebhook(ctx, "change webhook", accountID, id, func(h *models.Webhook) error {
		if !h.Is(c.Seen) {
			return models.ErrChanged
		}
		return h.Apply(c)
	})
}

// EnableWebhook makes a disabled endpoint active and forgets its failures. What was dropped meanwhile can be
// replayed.
func (s *Store) EnableWebhook(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	return s.withWebhook(ctx, "enable webhook", accountID, id, func(h *models.Webhook) error {
		h.Status, h.DisabledReason, h.FailingSince = models.WebhookActive, nil, nil
		return nil
	})
}

// withWebhook locks an endpoint, changes it and returns it as it then is. what names the action in errors.
func (s *Store) withWebhook(ctx context.Context, what, accountID, id string, change func(*models.Webhook) error) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	which := func(q *gorm.DB) *gorm.DB { return q.Scopes(of(accountID)).Where("id = ?", id) }
	return s.change(ctx, what, which, errNoWebhook, func(_ *joint.Tx, h *models.Webhook) error { return change(h) })
}

// change locks the endpoint that which narrows to, changes it and returns it as it then is; none is the error if
// there is none.
func (s *Store) change(ctx context.Context, what string, which func(*gorm.DB) *gorm.DB, none error, change func(*joint.Tx, *models.Webhook) error) (*models.Webhook, error) {
	var h *models.Webhook
	err := s.Joint(ctx, func(tx *joint.Tx) (err error) {
		if h, err = db.One[models.Webhook](tx.Gorm().Clauses(locked).Scopes(which), none); err != nil {
			return err
		}
		if err := change(tx, h); err != nil {
			return err
		}
		return tx.Gorm().Model(h).Select("*").Omit("id", "account_id", "created_at", "deleted_at").Updates(h).Error
	})
	if err != nil {
		return nil, db.Known(what, err)
	}
	return h, nil
}

// DeleteWebhook ends an endpoint of the account; its deliveries that were under way are dropped with reason
// cancelled. A second call is CodeNotFound.
func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	return s.DeleteSeenWebhook(ctx, accountID, id, nil)
}

// DeleteSeenWebhook is DeleteWebhook of an endpoint whose version or state is seen. If it has changed since, it is
// models.ErrChanged, and nothing is deleted.
func (s *Store) DeleteSeenWebhook(ctx context.Context, accountID, id string, seen *string) error {
	return s.remove(ctx, of(accountID), id, errNoWebhook, seen)
}

// remove marks an endpoint as deleted and drops what is under way to it; none is the error if there is none. seen is the
// version that it must have, or nil.
func (s *Store) remove(ctx context.Context, of func(*gorm.DB) *gorm.DB, id string, none *models.Error, seen *string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	now := s.Moment()
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if seen != nil {
			h, err := db.One[models.Webhook](tx.Gorm().Clauses(locked).Scopes(of).Where("id = ?", id), none)
			if err != nil {
				return db.Known("delete webhook", err)
			}
			if !h.Is(seen) {
				return models.ErrChanged
			}
		}
		gone := tx.Gorm().Model(&models.Webhook{}).Scopes(of).Where("id = ?", id).Update("deleted_at", now)
		if gone.Error != nil {
			return fmt.Errorf("delete webhook: %w", gone.Error)
		}
		if gone.RowsAffected == 0 {
			return none
		}
		if _, err := tx.Pgx().Exec(ctx, statements.Get("empty_bin"), pgx.NamedArgs{"webhook": id}); err != nil {
			return fmt.Errorf("empty request bin: %w", err)
		}
		return cancelWebhook(ctx, tx.Pgx(), id, now)
	})
}
