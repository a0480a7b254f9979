package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// WebhookColumns are what ScanWebhook reads of webhooks h.
const WebhookColumns = `h.id, h.account_id, h.url, h.events, h.payload_version, h.notices, h.paused, h.status, h.disabled_reason, h.failing_since, h.created_at`

// ScanWebhook reads a row of WebhookColumns.
func ScanWebhook(row pgx.CollectableRow) (*models.Webhook, error) {
	var h models.Webhook
	err := row.Scan(&h.ID, &h.AccountID, &h.URL, &h.Events, &h.PayloadVersion, &h.Notices, &h.Paused, &h.Status, &h.DisabledReason, &h.FailingSince, &h.CreatedAt)
	h.CreatedAt = h.CreatedAt.UTC()
	return &h, err
}

// CreateWebhook stores a new registration of an account. With the first one the account gets
// sealedSecret (notifier.Sealer.Seal of a new secret) as its webhook secret; one that it has stays.
func (s *Store) CreateWebhook(ctx context.Context, accountID string, n *models.NewWebhook, sealedSecret []byte) (*models.Webhook, error) {
	h := &models.Webhook{PayloadVersion: 1, Notices: []models.Notice{}}
	if err := h.Apply(models.WebhookChange{URL: &n.URL, Events: &n.Events, PayloadVersion: n.PayloadVersion, Notices: &n.Notices, Paused: &n.Paused}); err != nil {
		return nil, err
	}
	now := s.Now().UTC()
	err := pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `insert into webhook_secrets (account_id, current, created_at) values ($1, $2, $3) on conflict (account_id) do nothing`, accountID, sealedSecret, now)
		if err != nil {
			return err
		}
		// The secret's row is also the lock that makes the count exact.
		var others int
		err = tx.QueryRow(ctx, `with held as (select from webhook_secrets where account_id = $1 for update)
 select count(*) from webhooks where account_id = $1 and deleted_at is null and exists (select from held)`, accountID).Scan(&others)
		if err != nil {
			return err
		}
		if others >= models.MaxWebhooks {
			return &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf("the account has %d webhooks, which is the most it may have; delete some first", models.MaxWebhooks)}
		}
		rows, err := tx.Query(ctx, `insert into webhooks as h (id, account_id, url, events, payload_version, notices, paused, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
 returning `+WebhookColumns, models.NewID("wh"), accountID, h.URL, h.Events, h.PayloadVersion, h.Notices, h.Paused, now)
		if err != nil {
			return err
		}
		h, err = pgx.CollectExactlyOneRow(rows, ScanWebhook)
		return err
	})
	return h, webhookError("create webhook", err)
}

// webhookError passes on what users may see and wraps the rest.
func webhookError(what string, err error) error {
	var known *models.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return models.NotFound("there is no webhook with this id")
	case errors.As(err, &known):
		return known
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Webhooks gives one page of an account's registrations, newest first. p.After is not used.
func (s *Store) Webhooks(ctx context.Context, accountID string, p models.Page) (*models.WebhookPage, error) {
	out := &models.WebhookPage{Limit: p.Limit, Offset: p.Offset}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		// One snapshot for both.
		if _, err := tx.Exec(ctx, `set transaction isolation level repeatable read, read only`); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `select count(*) from webhooks where account_id = $1 and deleted_at is null`, accountID).Scan(&out.Total); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select `+WebhookColumns+` from webhooks h where h.account_id = $1 and h.deleted_at is null order by h.created_at desc, h.id desc limit $2 offset $3`, accountID, p.Limit, p.Offset)
		if err != nil {
			return err
		}
		out.Webhooks, err = pgx.CollectRows(rows, ScanWebhook)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list webhooks: %w", err)
	}
	return out, nil
}

// Webhook gives a registration of the account; a deleted one is not found.
func (s *Store) Webhook(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	rows, err := s.Pool().Query(ctx, `select `+WebhookColumns+` from webhooks h where h.id = $1 and h.account_id = $2 and h.deleted_at is null`, id, accountID)
	if err != nil {
		return nil, fmt.Errorf("read webhook: %w", err)
	}
	h, err := pgx.CollectExactlyOneRow(rows, ScanWebhook)
	return h, webhookError("read webhook", err)
}

// WebhooksByID gives those of the account's registrations that ids name, deleted ones too, in the
// order of ids: for showing what a delivery belongs to.
func (s *Store) WebhooksByID(ctx context.Context, accountID string, ids []string) ([]*models.Webhook, error) {
	rows, err := s.Pool().Query(ctx, `select `+WebhookColumns+` from webhooks h where h.id = any($1) and h.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	found, err := pgx.CollectRows(rows, ScanWebhook)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	return db.ByID(found, ids, func(h *models.Webhook) string { return h.ID }), nil
}

// UpdateWebhook changes a registration of the account and gives it as it then is. What is under way
// goes to the new address.
func (s *Store) UpdateWebhook(ctx context.Context, accountID, id string, c models.WebhookChange) (*models.Webhook, error) {
	return s.withWebhook(ctx, "change webhook", accountID, id, func(tx pgx.Tx, h *models.Webhook) (pgx.Rows, error) {
		if c.Seen != nil && *c.Seen != h.Version() {
			return nil, models.ErrChanged
		}
		if err := h.Apply(c); err != nil {
			return nil, err
		}
		return tx.Query(ctx, `update webhooks h set url = $2, events = $3, payload_version = $4, notices = $5, paused = $6 where id = $1 returning `+WebhookColumns,
			id, h.URL, h.Events, h.PayloadVersion, h.Notices, h.Paused)
	})
}

// EnableWebhook makes a disabled registration active, with its failures forgotten.
func (s *Store) EnableWebhook(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	return s.withWebhook(ctx, "enable webhook", accountID, id, func(tx pgx.Tx, _ *models.Webhook) (pgx.Rows, error) {
		return tx.Query(ctx, `update webhooks h set status = 'active', disabled_reason = null, failing_since = null where id = $1 returning `+WebhookColumns, id)
	})
}

// withWebhook locks a registration, changes it and gives it as it then is.
func (s *Store) withWebhook(ctx context.Context, what, accountID, id string, change func(pgx.Tx, *models.Webhook) (pgx.Rows, error)) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	var h *models.Webhook
	err := pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select `+WebhookColumns+` from webhooks h where h.id = $1 and h.account_id = $2 and h.deleted_at is null for update`, id, accountID)
		if err != nil {
			return err
		}
		if h, err = pgx.CollectExactlyOneRow(rows, ScanWebhook); err != nil {
			return err
		}
		if rows, err = change(tx, h); err != nil {
			return err
		}
		h, err = pgx.CollectExactlyOneRow(rows, ScanWebhook)
		return err
	})
	return h, webhookError(what, err)
}

// DeleteWebhook ends a registration of the account; its deliveries that were still under way end as
// dropped, reason cancelled. A second call is not found.
func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	now := s.Now().UTC()
	return pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update webhooks set deleted_at = $3 where id = $1 and account_id = $2 and deleted_at is null`, id, accountID, now)
		if err != nil {
			return fmt.Errorf("delete webhook: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return webhookError("", pgx.ErrNoRows)
		}
		return Cancel(ctx, tx, `d.webhook_id = $1`, id, models.DropCancelled, now)
	})
}
