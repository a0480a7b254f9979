package delivery

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// seek is a place in the list of deliveries, as its cursors hold it.
type seek struct {
	At time.Time `json:"t"`
	ID string    `json:"i"`
}

// deliveryList is the name of the list in its cursors.
const deliveryList = "deliveries"

// checkDeliveries refuses ids that no delivery can have, and a time that ends before it begins.
func checkDeliveries(f *models.DeliveryFilter) error {
	for field, id := range map[string]*string{"webhook_id": f.WebhookID, "alert_id": f.WatcherID} {
		if id == nil {
			continue
		}
		if err := models.PlainText(field, *id); err != nil {
			return err
		}
	}
	return checkSpan(f.From, f.To)
}

// checkSpan refuses a time that ends before it begins; nil is open.
func checkSpan(from, to *time.Time) error {
	if from != nil && to != nil && from.After(*to) {
		return models.Invalid("from", "from must not be after to")
	}
	return nil
}

// matching narrows deliveries to those of an account that a filter selects.
func matching(accountID string, f models.DeliveryFilter) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		q = q.Where("account_id = ?", accountID).Scopes(between(f.From, f.To))
		if f.WebhookID != nil {
			q = q.Where("webhook_id = ?", *f.WebhookID)
		}
		if f.WatcherID != nil {
			q = q.Where("watcher_id = ?", *f.WatcherID)
		}
		if f.State != nil {
			q = q.Where("state = ?", *f.State)
		}
		return q
	}
}

// between narrows deliveries to those made at or after from, and before to; nil is open.
func between(from, to *time.Time) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		if from != nil {
			q = q.Where("created_at >= ?", *from)
		}
		if to != nil {
			q = q.Where("created_at < ?", *to)
		}
		return q
	}
}

// Deliveries returns one page of an account's deliveries, newest first (created_at, then id, both
// descending), by offset or after a cursor. Of withheld records body and reasons are left out. A cursor that
// is not of this list and filters out of range are models.Error.
func (s *Store) Deliveries(ctx context.Context, accountID string, f models.DeliveryFilter, p models.Page) (*models.DeliveryPage, error) {
	if err := checkDeliveries(&f); err != nil {
		return nil, err
	}
	q := s.rows(ctx).Scopes(matching(accountID, f))
	if p.After != "" {
		var at seek
		if err := s.OpenCursor(deliveryList, p.After, &at); err != nil {
			return nil, err
		}
		q = q.Where("(created_at, id) < (?, ?)", at.At, at.ID)
	}
	out := &models.DeliveryPage{Filter: f}
	// One more than the page holds, to know whether there is another.
	if err := q.Order("created_at desc, id desc").Limit(p.Limit + 1).Offset(p.Offset).Find(&out.Deliveries).Error; err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	hide(out.Deliveries...)
	if len(out.Deliveries) > p.Limit {
		out.Deliveries, out.PageInfo.HasNextPage = out.Deliveries[:p.Limit], true
	}
	if n := len(out.Deliveries); n > 0 {
		last := out.Deliveries[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(deliveryList, seek{At: last.CreatedAt, ID: last.ID})
		}
	}
	return out, nil
}

// CountDeliveries returns how many deliveries Deliveries lists over all pages.
func (s *Store) CountDeliveries(ctx context.Context, accountID string, f models.DeliveryFilter) (int, error) {
	var n int64
	if err := s.rows(ctx).Model(&models.Delivery{}).Scopes(matching(accountID, f)).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("count deliveries: %w", err)
	}
	return int(n), nil
}
