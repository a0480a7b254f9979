package alert

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db/column"
)

// bondCharges are the charges that say why a booking c has no amount of bond.
const bondCharges = `(select jsonb_agg(jsonb_build_object('BondKind', g.bond_kind, 'BondText', g.bond_text) order by g.seq)
 from published_booking_charges g where g.rid = c.rid and c.bond_cents is null and g.bond_kind is not null) as bond_charges`

// FactsOfEvents returns the facts of an account's events by their ids, as the record was when the change was
// detected. Notices about sources, and events of records that are not published any more, are left out.
func (s *Store) FactsOfEvents(ctx context.Context, accountID string, ids []string) (map[string]*models.EventFacts, error) {
	var found []struct {
		EventID           string
		models.EventFacts `gorm:"embedded"`
	}
	err := s.rows(ctx).Table("published_events e").Joins("join changes c on c.id = e.change_id").Joins("join known_bookings b on b.rid = e.rid").
		Select("e.id as event_id, b.id as record_id, c.name, c.dob, c.birth_year, c.county_id, c.booked_at, c.released_at, c.release_inferred, "+
			"c.release_absent, c.charges, c.bond_cents, c.old_bond_cents, "+bondCharges).
		Where("e.id = any (?) and e.account_id = ?", column.Array[string](ids), accountID).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read facts of events: %w", err)
	}
	out := make(map[string]*models.EventFacts, len(found))
	for i := range found {
		out[found[i].EventID] = &found[i].EventFacts
	}
	return out, nil
}

// EventsOfHits returns the events of an account's hits, by the ids of the hits, oldest first. Notices are
// left out.
func (s *Store) EventsOfHits(ctx context.Context, accountID string, ids []string) (map[string][]*models.AlertEvent, error) {
	var found []*models.AlertEvent
	err := s.rows(ctx).Table("published_events e").Joins("join hits h on h.id = e.hit_id and h.rid = e.rid and h.watcher_id = e.watcher_id").
		Select("e.id, e.seq, e.account_id, e.kind, e.watcher_id, e.rid, e.hit_id, e.at").
		Where("h.id = any (?) and h.account_id = ? and e.kind in ?", column.Array[string](ids), accountID, models.EventKinds()).
		Order("e.seq").Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read events of hits: %w", err)
	}
	out := make(map[string][]*models.AlertEvent, len(ids))
	for _, e := range found {
		out[*e.HitID] = append(out[*e.HitID], e)
	}
	return out, nil
}
