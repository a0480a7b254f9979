package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// errNoEmail is for an e-mail endpoint that does not exist, was deleted, or is another account's.
var errNoEmail = models.NotFound("there is no e-mail endpoint with this id")

// errUsedLink is for a link that confirmed an address before.
var errUsedLink = models.NotFound("this link was used already; the account that added your address can send another one")

// emails narrows endpoints to those of an account by e-mail that are not deleted.
func emails(accountID string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("account_id = ? and way = ? and deleted_at is null", accountID, models.ByEmail)
	}
}

// CreateEmail stores a new e-mail endpoint of an account. It is disabled until its address is confirmed, and the
// caller asks for that. Fields out of range are models.Error. An address that the account has already, one that was
// asked too often (noteAsk), and more than maxEmails are CodeConflict.
func (s *Store) CreateEmail(ctx context.Context, accountID string, n *NewEmail) (*models.Webhook, error) {
	h, err := n.endpoint(accountID, s.Moment())
	if err != nil {
		return nil, err
	}
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		// The lock makes the count exact.
		lock := clause.Locking{Strength: "no key update"}
		if _, err := db.One[models.Account](tx.Gorm().Clauses(lock).Where("id = ?", accountID), models.ErrNoAccount); err != nil {
			return err
		}
		var others, same int64
		if err := tx.Gorm().Model(h).Scopes(emails(accountID)).Count(&others).Error; err != nil {
			return err
		}
		if others >= maxEmails {
			return &models.Error{
				Code:    models.CodeConflict,
				Message: fmt.Sprintf("the account has %d e-mail endpoints, which is the most it may have; delete some first", maxEmails),
			}
		}
		if err := tx.Gorm().Model(h).Scopes(emails(accountID)).Where("lower(url) = lower(?)", h.URL).Count(&same).Error; err != nil {
			return err
		}
		if same > 0 {
			return &models.Error{Code: models.CodeConflict, Message: "the account has an endpoint with this address already"}
		}
		if err := noteAsk(ctx, tx, h, h.CreatedAt); err != nil {
			return err
		}
		return tx.Gorm().Create(h).Error
	})
	if err != nil {
		return nil, db.Known("create e-mail endpoint", err)
	}
	return h, nil
}

// AskEmail notes that the address of an endpoint is asked once more to confirm, and returns the endpoint. One that
// is active is CodeConflict, and so is an address that was asked too often (noteAsk).
func (s *Store) AskEmail(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	return s.withEmail(ctx, accountID, id, func(tx *joint.Tx, h *models.Webhook) error {
		if h.Status == models.WebhookActive {
			return &models.Error{Code: models.CodeConflict, Message: "this address is confirmed already"}
		}
		return noteAsk(ctx, tx, h, s.Moment())
	})
}

// Emails returns the e-mail endpoints of an account, newest first.
func (s *Store) Emails(ctx context.Context, accountID string) ([]*models.Webhook, error) {
	var found []*models.Webhook
	if err := s.rows(ctx).Scopes(emails(accountID)).Order("created_at desc, id desc").Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list e-mail endpoints: %w", err)
	}
	return found, nil
}

// Email returns an e-mail endpoint of the account; a deleted one is CodeNotFound.
func (s *Store) Email(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	h, err := db.One[models.Webhook](s.rows(ctx).Scopes(emails(accountID)).Where("id = ?", id), errNoEmail)
	return h, db.Known("read e-mail endpoint", err)
}

// UpdateEmail changes an e-mail endpoint of the account and returns it as it then is. What waits for a digest is
// due at the time of the new one.
func (s *Store) UpdateEmail(ctx context.Context, accountID, id string, c EmailChange) (*models.Webhook, error) {
	return s.withEmail(ctx, accountID, id, func(tx *joint.Tx, h *models.Webhook) error {
		if err := h.Apply(models.WebhookChange{Events: c.Events, Notices: c.Notices, Paused: c.Paused}); err != nil {
			return err
		}
		if c.Digest == nil || *c.Digest == h.Digest {
			return nil
		}
		var err error
		if h.Digest, err = parseDigest(*c.Digest); err != nil {
			return err
		}
		now := s.Moment()
		args := pgx.NamedArgs{"webhook": h.ID, "at": Due(h.Digest, now), "now": now}
		_, err = tx.Pgx().Exec(ctx, statements.Get("plan_digest"), args)
		return err
	})
}

// withEmail locks an e-mail endpoint of an account, changes it and returns it as it then is.
func (s *Store) withEmail(ctx context.Context, accountID, id string, change func(*joint.Tx, *models.Webhook) error) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	return s.change(ctx, "change e-mail endpoint", func(q *gorm.DB) *gorm.DB { return q.Scopes(emails(accountID)).Where("id = ?", id) }, errNoEmail, change)
}

// DeleteEmail ends an e-mail endpoint of the account; its deliveries that were under way are dropped with reason
// cancelled. A second call is CodeNotFound.
func (s *Store) DeleteEmail(ctx context.Context, accountID, id string) error {
	return s.remove(ctx, emails(accountID), id, errNoEmail, nil)
}

// ConfirmEmail makes an e-mail endpoint active and forgets its failures. The recipient asked for it by a signed
// link of a mail of that instant, which names the endpoint and its address. A link works once: after a confirmation
// only a later mail brings another. An endpoint that was deleted is CodeNotFound.
func (s *Store) ConfirmEmail(ctx context.Context, id, address string, asked time.Time) (*models.Webhook, error) {
	return s.recipient(ctx, id, address, func(_ *joint.Tx, h *models.Webhook) error {
		if h.ConfirmedAt != nil && asked.Before(*h.ConfirmedAt) {
			if h.Status == models.WebhookActive {
				return nil // twice on the button
			}
			return errUsedLink
		}
		now := s.Moment()
		h.Status, h.DisabledReason, h.FailingSince, h.Bounces, h.ConfirmedAt = models.WebhookActive, nil, nil, 0, &now
		return nil
	})
}

// UnsubscribeEmail disables an e-mail endpoint as its recipient asked, and drops what is under way to it. Doing it
// again is fine.
func (s *Store) UnsubscribeEmail(ctx context.Context, id, address string) (*models.Webhook, error) {
	return s.recipient(ctx, id, address, func(tx *joint.Tx, h *models.Webhook) error {
		h.Status, h.DisabledReason = models.WebhookDisabled, new(Unsubscribed)
		return cancel(ctx, tx.Pgx(), "cancel_for_webhook", pgx.NamedArgs{"webhook": id, "why": models.DropDisabled, "now": s.Moment()})
	})
}

// EmailByLink returns the e-mail endpoint that a signed link names, of whichever account.
func (s *Store) EmailByLink(ctx context.Context, id, address string) (*models.Webhook, error) {
	h, err := db.One[models.Webhook](s.rows(ctx).Scopes(linked(id, address)), errNoEmail)
	return h, db.Known("read e-mail endpoint", err)
}

// linked narrows endpoints to the one that a link names.
func linked(id, address string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("id = ? and url = ? and way = ? and deleted_at is null", id, address, models.ByEmail)
	}
}

// recipient changes the endpoint that a link names.
func (s *Store) recipient(ctx context.Context, id, address string, change func(*joint.Tx, *models.Webhook) error) (*models.Webhook, error) {
	return s.change(ctx, "change e-mail endpoint", linked(id, address), errNoEmail, change)
}

// mails begins the names of leases of mails. No sender has such a name.
const mails = "mail "

// GatherMail leases what is due of an endpoint for one mail, most deliveries at most, the oldest first. only names the one
// delivery that the mail is about; empty: it is a digest. by names the mail. It returns none when another mail has them.
func (s *Store) GatherMail(ctx context.Context, by, webhookID, only string, lease time.Duration, most int) (as string, ids []string, err error) {
	now := s.Now()
	as = mails + by
	rows, err := s.Pool().Query(ctx, statements.Get("gather_mail"), pgx.NamedArgs{
		"webhook": webhookID, "now": now, "until": now.Add(lease), "by": as, "mails": mails, "only": only, "most": most,
	})
	if err == nil {
		ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return as, nil, fmt.Errorf("gather mail: %w", err)
	}
	return as, ids, nil
}
