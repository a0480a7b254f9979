package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

type deliverySeek struct {
	At time.Time `json:"t"`
	ID string    `json:"i"`
}

const deliveryList = "deliveries"

// checkDeliveries refuses what no delivery can answer.
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

// checkSpan refuses a time that ends before it begins.
func checkSpan(from, to *time.Time) error {
	if from != nil && to != nil && from.After(*to) {
		return models.Invalid("from", "from must not be after to")
	}
	return nil
}

// narrowDeliveries adds what a filter says of deliveries d.
func narrowDeliveries(c *db.Condition, f *models.DeliveryFilter, accountID string) {
	c.Add("d.account_id = ?", accountID)
	if f.WebhookID != nil {
		c.Add("d.webhook_id = ?", *f.WebhookID)
	}
	if f.WatcherID != nil {
		c.Add("d.watcher_id = ?", *f.WatcherID)
	}
	if f.State != nil {
		c.Add("d.state = ?", string(*f.State))
	}
	if f.From != nil {
		c.Add("d.created_at >= ?", *f.From)
	}
	if f.To != nil {
		c.Add("d.created_at < ?", *f.To)
	}
}

// Deliveries gives one page of an account's deliveries, newest first (created_at, then id, both
// descending), by offset or after a cursor.
func (s *Store) Deliveries(ctx context.Context, accountID string, f models.DeliveryFilter, p models.Page) (*models.DeliveryPage, error) {
	if err := checkDeliveries(&f); err != nil {
		return nil, err
	}
	var where db.Condition
	narrowDeliveries(&where, &f, accountID)
	if p.After != "" {
		var at deliverySeek
		if err := s.OpenCursor(deliveryList, p.After, &at); err != nil {
			return nil, err
		}
		where.Add("(d.created_at, d.id) < (?, ?)", at.At, at.ID)
	}
	sql := `select ` + deliveryColumns + ` from deliveries d where ` + where.String() + ` order by d.created_at desc, d.id desc limit ` + where.Bind(p.Limit+1) + ` offset ` + where.Bind(p.Offset)
	rows, err := s.Pool().Query(ctx, sql, where.Args...)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	out := &models.DeliveryPage{Filter: f}
	if out.Deliveries, err = pgx.CollectRows(rows, scanDelivery); err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	if len(out.Deliveries) > p.Limit {
		out.Deliveries, out.PageInfo.HasNextPage = out.Deliveries[:p.Limit], true
	}
	if n := len(out.Deliveries); n > 0 {
		last := out.Deliveries[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(deliveryList, deliverySeek{At: last.CreatedAt, ID: last.ID})
		}
	}
	return out, nil
}

// CountDeliveries counts what Deliveries lists without a page.
func (s *Store) CountDeliveries(ctx context.Context, accountID string, f models.DeliveryFilter) (int, error) {
	var where db.Condition
	narrowDeliveries(&where, &f, accountID)
	var n int
	if err := s.Pool().QueryRow(ctx, `select count(*) from deliveries d where `+where.String(), where.Args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count deliveries: %w", err)
	}
	return n, nil
}
