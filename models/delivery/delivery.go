package delivery

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// errNoDelivery is for a delivery that does not exist or is another account's.
var errNoDelivery = models.NotFound("there is no delivery with this id")

// Delivery returns a delivery of the account, or CodeNotFound. Of a withheld record body and reasons are left
// out.
func (s *Store) Delivery(ctx context.Context, accountID, id string) (*models.Delivery, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	d, err := readDelivery(s.rows(ctx), accountID, id)
	return d, db.Known("read delivery", err)
}

// readDelivery reads a delivery through from, which may lock its row.
func readDelivery(from *gorm.DB, accountID, id string) (*models.Delivery, error) {
	d, err := db.One[models.Delivery](from.Where("id = ? and account_id = ?", id, accountID), errNoDelivery)
	if err != nil {
		return nil, err
	}
	hide(d)
	return d, nil
}

// hide removes from deliveries what must not be shown: the body and why it matched, if the record is withheld
// now.
func hide(all ...*models.Delivery) {
	for _, d := range all {
		if d.Withheld {
			d.Body, d.Match = nil, nil
		}
	}
}

// AttemptsOf returns the attempts of deliveries, oldest first, by the id of the delivery. The receiver's
// answer is left out where the record is withheld now, because receivers echo what they get. The caller has
// checked the account.
func (s *Store) AttemptsOf(ctx context.Context, deliveryIDs []string) (map[string][]*models.Attempt, error) {
	var all []*models.Attempt
	err := s.rows(ctx).Table("attempts a").Joins("join deliveries_now d on d.id = a.delivery_id").
		Select("a.id, a.delivery_id, a.at, a.status, a.latency_ms, a.class, case when not d.withheld then a.answer end as answer, a.error").
		Where("a.delivery_id = any (?)", column.Array[string](deliveryIDs)).Order("a.delivery_id, a.id").Find(&all).Error
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	out := make(map[string][]*models.Attempt, len(deliveryIDs))
	for _, a := range all {
		out[a.DeliveryID] = append(out[a.DeliveryID], a)
	}
	return out, nil
}
