package delivery

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// errNoBin is for an account without a request bin.
var errNoBin = models.NotFound("the account has no request bin yet")

// onlyBin refuses a second request bin of an account, whose secret tx has locked.
func onlyBin(tx *joint.Tx, h *models.Webhook) error {
	if h.Bin == nil {
		return nil
	}
	var others int64
	if err := tx.Gorm().Model(&models.Webhook{}).Scopes(of(h.AccountID)).Where("bin is not null").Count(&others).Error; err != nil {
		return err
	}
	if others > 0 {
		return conflict("the account has a request bin already")
	}
	return nil
}

// Bin returns the request bin of an account, or CodeNotFound.
func (s *Store) Bin(ctx context.Context, accountID string) (*models.Webhook, error) {
	h, err := db.One[models.Webhook](s.rows(ctx).Scopes(of(accountID)).Where("bin is not null"), errNoBin)
	return h, db.Known("read request bin", err)
}

// KeepBinRequest stores a request that arrived in a bin. Of the older ones it keeps models.BinKept-1.
func (s *Store) KeepBinRequest(ctx context.Context, r *models.BinRequest) error {
	_, err := s.Pool().Exec(ctx, statements.Get("keep_bin_request"), pgx.NamedArgs{
		"webhook": r.WebhookID, "delivery": r.DeliveryID, "at": r.At, "headers": r.Headers, "status": r.Status, "older": models.BinKept - 1,
	})
	if err != nil {
		return fmt.Errorf("keep request of bin %s: %w", r.WebhookID, err)
	}
	return nil
}

// BinRequests returns what arrived in the bin of an account within models.BinAge, newest first. Of a record that is withheld
// now, the body and the headers that say why it matched are left out.
func (s *Store) BinRequests(ctx context.Context, accountID, webhookID string) (all []*models.BinRequest, err error) {
	q := s.rows(ctx).Where("account_id = ? and webhook_id = ? and at >= ?", accountID, webhookID, s.Now().Add(-models.BinAge))
	if err := q.Order("id desc").Limit(models.BinKept).Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read request bin: %w", err)
	}
	return all, nil
}

// ExpireBinRequests deletes what arrived in bins longer than models.BinAge ago, and returns how many requests that were.
func (s *Store) ExpireBinRequests(ctx context.Context) (int64, error) {
	gone, err := s.Pool().Exec(ctx, statements.Get("expire_bin_requests"), pgx.NamedArgs{"before": s.Now().Add(-models.BinAge)})
	if err != nil {
		return 0, fmt.Errorf("expire request bins: %w", err)
	}
	return gone.RowsAffected(), nil
}
