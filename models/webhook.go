package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Notice is a kind of message beside the events that a registration may ask for.
type Notice string

// The notices of DECISIONS.md, "Alerts". They are sent as payload version 2.
const (
	NoticeRetraction  Notice = "retraction"   // a release that was sent is withdrawn
	NoticeSourceStale Notice = "source_stale" // watchers see nothing of a county, and see again
	NoticeSealed      Notice = "sealed"       // a record that was sent must not be shown any more
)

// WebhookStatus tells whether a registration is sent to.
type WebhookStatus string

// The statuses. The service disables a registration whose endpoint is gone; EnableWebhook ends that.
const (
	WebhookActive   WebhookStatus = "active"
	WebhookDisabled WebhookStatus = "disabled"
)

// Webhook is a registration: an address that gets the events of an account.
type Webhook struct {
	ID             string // wh_...
	AccountID      string
	URL            string
	Events         []EventKind
	PayloadVersion int
	Notices        []Notice // never nil
	Paused         bool
	Status         WebhookStatus
	DisabledReason *string
	FailingSince   *time.Time
	CreatedAt      time.Time // UTC
}

// NewWebhook is what CreateWebhook takes. URL is checked by the caller (notifier.Guard.CheckURL).
type NewWebhook struct {
	URL            string
	Events         []EventKind
	PayloadVersion *int // nil: 1
	Notices        []Notice
	Paused         bool
}

// WebhookChange holds what to change of a registration; nil leaves it.
type WebhookChange struct {
	URL            *string // checked by the caller
	Events         *[]EventKind
	PayloadVersion *int
	Notices        *[]Notice
	Paused         *bool
	Seen           *string // Version that the change is of: ErrChanged if it is another by now; nil: whatever it is
}

// WebhookPage is one page of an account's registrations.
type WebhookPage struct {
	Total    int
	Limit    int
	Offset   int
	Webhooks []*Webhook
}

const (
	maxWebhookURL = 2000
	// maxWebhooks bounds the registrations of an account: each event goes to all of them.
	maxWebhooks = 100
)

const webhookColumns = `h.id, h.account_id, h.url, h.events, h.payload_version, h.notices, h.paused, h.status, h.disabled_reason, h.failing_since, h.created_at`

func scanWebhook(row pgx.CollectableRow) (*Webhook, error) {
	var h Webhook
	err := row.Scan(&h.ID, &h.AccountID, &h.URL, &h.Events, &h.PayloadVersion, &h.Notices, &h.Paused, &h.Status, &h.DisabledReason, &h.FailingSince, &h.CreatedAt)
	h.CreatedAt = h.CreatedAt.UTC()
	return &h, err
}

// change applies c to h and checks what it changes.
func (h *Webhook) change(c WebhookChange) (err error) {
	set(&h.URL, c.URL)
	if h.URL == "" || len(h.URL) > maxWebhookURL {
		return InvalidBody("url", "url must be an https address of at most 2000 bytes")
	}
	if c.Events != nil {
		if h.Events, err = orderKinds(*c.Events); err != nil {
			return err
		}
	}
	set(&h.PayloadVersion, c.PayloadVersion)
	if h.PayloadVersion != 1 && h.PayloadVersion != 2 {
		return InvalidBody("payload_version", "payload_version is 1 or 2")
	}
	if c.Notices != nil {
		h.Notices = []Notice{}
		for _, n := range *c.Notices {
			n = Notice(strings.ToLower(string(n)))
			if !slices.Contains([]Notice{NoticeRetraction, NoticeSourceStale, NoticeSealed}, n) {
				return InvalidBody("notices", "notices takes retraction, source_stale and sealed only")
			}
			if !slices.Contains(h.Notices, n) {
				h.Notices = append(h.Notices, n)
			}
		}
	}
	set(&h.Paused, c.Paused)
	return nil
}

// CreateWebhook stores a new registration of an account. With the first one the account gets
// sealedSecret (notifier.Sealer.Seal of a new secret) as its webhook secret; one that it has stays.
func (s *Store) CreateWebhook(ctx context.Context, accountID string, n *NewWebhook, sealedSecret []byte) (*Webhook, error) {
	h := &Webhook{PayloadVersion: 1, Notices: []Notice{}}
	if err := h.change(WebhookChange{URL: &n.URL, Events: &n.Events, PayloadVersion: n.PayloadVersion, Notices: &n.Notices, Paused: &n.Paused}); err != nil {
		return nil, err
	}
	now := s.now().UTC()
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
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
		if others >= maxWebhooks {
			return &Error{Code: CodeConflict, Message: fmt.Sprintf("the account has %d webhooks, which is the most it may have; delete some first", maxWebhooks)}
		}
		rows, err := tx.Query(ctx, `insert into webhooks as h (id, account_id, url, events, payload_version, notices, paused, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
 returning `+webhookColumns, newID("wh"), accountID, h.URL, h.Events, h.PayloadVersion, h.Notices, h.Paused, now)
		if err != nil {
			return err
		}
		h, err = pgx.CollectExactlyOneRow(rows, scanWebhook)
		return err
	})
	return h, webhookError("create webhook", err)
}

// webhookError passes on what users may see and wraps the rest.
func webhookError(what string, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return NotFound("there is no webhook with this id")
	case errors.As(err, &known):
		return known
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Webhooks gives one page of an account's registrations, newest first. p.After is not used.
func (s *Store) Webhooks(ctx context.Context, accountID string, p Page) (*WebhookPage, error) {
	out := &WebhookPage{Limit: p.Limit, Offset: p.Offset}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		// One snapshot for both.
		if _, err := tx.Exec(ctx, `set transaction isolation level repeatable read, read only`); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `select count(*) from webhooks where account_id = $1 and deleted_at is null`, accountID).Scan(&out.Total); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select `+webhookColumns+` from webhooks h where h.account_id = $1 and h.deleted_at is null order by h.created_at desc, h.id desc limit $2 offset $3`, accountID, p.Limit, p.Offset)
		if err != nil {
			return err
		}
		out.Webhooks, err = pgx.CollectRows(rows, scanWebhook)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list webhooks: %w", err)
	}
	return out, nil
}

// Webhook gives a registration of the account; a deleted one is not found.
func (s *Store) Webhook(ctx context.Context, accountID, id string) (*Webhook, error) {
	if err := plainText("id", id); err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, `select `+webhookColumns+` from webhooks h where h.id = $1 and h.account_id = $2 and h.deleted_at is null`, id, accountID)
	if err != nil {
		return nil, fmt.Errorf("read webhook: %w", err)
	}
	h, err := pgx.CollectExactlyOneRow(rows, scanWebhook)
	return h, webhookError("read webhook", err)
}

// WebhooksByID gives those of the account's registrations that ids name, deleted ones too, in the
// order of ids: for showing what a delivery belongs to.
func (s *Store) WebhooksByID(ctx context.Context, accountID string, ids []string) ([]*Webhook, error) {
	rows, err := s.pool.Query(ctx, `select `+webhookColumns+` from webhooks h where h.id = any($1) and h.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanWebhook)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	return byID(found, ids, func(h *Webhook) string { return h.ID }), nil
}

// UpdateWebhook changes a registration of the account and gives it as it then is. What is under way
// goes to the new address.
func (s *Store) UpdateWebhook(ctx context.Context, accountID, id string, c WebhookChange) (*Webhook, error) {
	return s.withWebhook(ctx, "change webhook", accountID, id, func(tx pgx.Tx, h *Webhook) (pgx.Rows, error) {
		if c.Seen != nil && *c.Seen != h.Version() {
			return nil, ErrChanged
		}
		if err := h.change(c); err != nil {
			return nil, err
		}
		return tx.Query(ctx, `update webhooks h set url = $2, events = $3, payload_version = $4, notices = $5, paused = $6 where id = $1 returning `+webhookColumns,
			id, h.URL, h.Events, h.PayloadVersion, h.Notices, h.Paused)
	})
}

// EnableWebhook makes a disabled registration active, with its failures forgotten.
func (s *Store) EnableWebhook(ctx context.Context, accountID, id string) (*Webhook, error) {
	return s.withWebhook(ctx, "enable webhook", accountID, id, func(tx pgx.Tx, _ *Webhook) (pgx.Rows, error) {
		return tx.Query(ctx, `update webhooks h set status = 'active', disabled_reason = null, failing_since = null where id = $1 returning `+webhookColumns, id)
	})
}

// withWebhook locks a registration, changes it and gives it as it then is.
func (s *Store) withWebhook(ctx context.Context, what, accountID, id string, change func(pgx.Tx, *Webhook) (pgx.Rows, error)) (*Webhook, error) {
	if err := plainText("id", id); err != nil {
		return nil, err
	}
	var h *Webhook
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select `+webhookColumns+` from webhooks h where h.id = $1 and h.account_id = $2 and h.deleted_at is null for update`, id, accountID)
		if err != nil {
			return err
		}
		if h, err = pgx.CollectExactlyOneRow(rows, scanWebhook); err != nil {
			return err
		}
		if rows, err = change(tx, h); err != nil {
			return err
		}
		h, err = pgx.CollectExactlyOneRow(rows, scanWebhook)
		return err
	})
	return h, webhookError(what, err)
}

// DeleteWebhook ends a registration of the account; its deliveries that were still under way end as
// dropped, reason cancelled. A second call is not found.
func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	if err := plainText("id", id); err != nil {
		return err
	}
	now := s.now().UTC()
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update webhooks set deleted_at = $3 where id = $1 and account_id = $2 and deleted_at is null`, id, accountID, now)
		if err != nil {
			return fmt.Errorf("delete webhook: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return webhookError("", pgx.ErrNoRows)
		}
		return cancelDeliveries(ctx, tx, `d.webhook_id = $1`, id, DropCancelled, now)
	})
}
