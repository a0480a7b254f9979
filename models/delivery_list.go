package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// DeliveryFilter narrows the list of deliveries; what is nil does not narrow.
type DeliveryFilter struct {
	WebhookID *string
	WatcherID *string
	State     *DeliveryState
	From      *time.Time // created at or after
	To        *time.Time // created before
}

// DeliveryPage is one page of deliveries. The total is counted only on request (CountDeliveries).
type DeliveryPage struct {
	Filter     DeliveryFilter // what it is a page of
	Deliveries []*Delivery
	PageInfo   PageInfo
}

type deliverySeek struct {
	At time.Time `json:"t"`
	ID string    `json:"i"`
}

const deliveryList = "deliveries"

// checkDeliveries refuses what no delivery can answer.
func checkDeliveries(f *DeliveryFilter) error {
	for field, id := range map[string]*string{"webhook_id": f.WebhookID, "alert_id": f.WatcherID} {
		if id == nil {
			continue
		}
		if err := plainText(field, *id); err != nil {
			return err
		}
	}
	return checkSpan(f.From, f.To)
}

// checkSpan refuses a time that ends before it begins.
func checkSpan(from, to *time.Time) error {
	if from != nil && to != nil && from.After(*to) {
		return Invalid("from", "from must not be after to")
	}
	return nil
}

// narrowDeliveries adds what a filter says of deliveries d.
func narrowDeliveries(c *condition, f *DeliveryFilter, accountID string) {
	c.add("d.account_id = ?", accountID)
	if f.WebhookID != nil {
		c.add("d.webhook_id = ?", *f.WebhookID)
	}
	if f.WatcherID != nil {
		c.add("d.watcher_id = ?", *f.WatcherID)
	}
	if f.State != nil {
		c.add("d.state = ?", string(*f.State))
	}
	if f.From != nil {
		c.add("d.created_at >= ?", *f.From)
	}
	if f.To != nil {
		c.add("d.created_at < ?", *f.To)
	}
}

// Deliveries gives one page of an account's deliveries, newest first (created_at, then id, both
// descending), by offset or after a cursor.
func (s *Store) Deliveries(ctx context.Context, accountID string, f DeliveryFilter, p Page) (*DeliveryPage, error) {
	if err := checkDeliveries(&f); err != nil {
		return nil, err
	}
	var where condition
	narrowDeliveries(&where, &f, accountID)
	if p.After != "" {
		var at deliverySeek
		if err := s.openCursor(deliveryList, p.After, &at); err != nil {
			return nil, err
		}
		where.add("(d.created_at, d.id) < (?, ?)", at.At, at.ID)
	}
	sql := `select ` + deliveryColumns + ` from deliveries d where ` + where.String() + ` order by d.created_at desc, d.id desc limit ` + where.bind(p.Limit+1) + ` offset ` + where.bind(p.Offset)
	rows, err := s.pool.Query(ctx, sql, where.args...)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	out := &DeliveryPage{Filter: f}
	if out.Deliveries, err = pgx.CollectRows(rows, scanDelivery); err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	if len(out.Deliveries) > p.Limit {
		out.Deliveries, out.PageInfo.HasNextPage = out.Deliveries[:p.Limit], true
	}
	if n := len(out.Deliveries); n > 0 {
		last := out.Deliveries[n-1]
		out.PageInfo.end = func() (string, error) {
			return s.sealCursor(deliveryList, deliverySeek{At: last.CreatedAt, ID: last.ID})
		}
	}
	return out, nil
}

// CountDeliveries counts what Deliveries lists without a page.
func (s *Store) CountDeliveries(ctx context.Context, accountID string, f DeliveryFilter) (int, error) {
	var where condition
	narrowDeliveries(&where, &f, accountID)
	var n int
	if err := s.pool.QueryRow(ctx, `select count(*) from deliveries d where `+where.String(), where.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count deliveries: %w", err)
	}
	return n, nil
}

// ParseDeliveryState reads a state in any letter case.
func ParseDeliveryState(s string) (DeliveryState, error) {
	switch st := DeliveryState(strings.ToLower(s)); st {
	case DeliveryPending, DeliveryFailed, DeliveryDelivered, DeliveryDropped:
		return st, nil
	}
	return "", Invalid("state", fmt.Sprintf("state %.20q is not one of pending, failed, delivered, dropped", s))
}
