package link

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

// again is what a decision about a pair changes when there was one before: it is the newest decision now.
var again = clause.AssignmentColumns([]string{"decision", "decided_at", "seq"})

// restoreConfirmed pins the confirmed pairs whose ends exist, also those that came back under their ids: that of one booking,
// by its public id, or with nil all.
func restoreConfirmed(ctx context.Context, tx pgx.Tx, rosterID *string, now time.Time) error {
	if _, err := tx.Exec(ctx, statements.Get("pin_confirmed"), pgx.NamedArgs{"booking": rosterID, "now": now}); err != nil {
		return fmt.Errorf("pin confirmed links: %w", err)
	}
	return nil
}

// DecideLink stores an operator's decision about a booking and a corrections record, and applies it at once.
// Confirming pins the link in place of any other record of the booking. Dismissing removes the link, also if
// it is pinned; the next link run finds what else may fit the booking. Unknown ids are CodeNotFound.
func (s *Store) DecideLink(ctx context.Context, rosterID, gdcID string, decision models.LinkChoice) error {
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := db.LockLinkTables(ctx, tx.Pgx()); err != nil {
			return err
		}
		return s.decideLink(ctx, tx, rosterID, gdcID, decision)
	})
}

// decideLink is DecideLink in a transaction that has the lock of the link tables.
func (s *Store) decideLink(ctx context.Context, tx *joint.Tx, rosterID, gdcID string, decision models.LinkChoice) error {
	booking, record, err := linkEnds(tx.Gorm(), rosterID, gdcID)
	if err != nil {
		return err
	}
	before := tx.Gorm().Where("roster_id = ? and decision = ?", rosterID, models.LinkConfirmed)
	if decision != models.LinkConfirmed { // else no other record stays confirmed
		before = before.Where("gdc_id = ?", gdcID)
	}
	if err := before.Delete(&Decision{}).Error; err != nil {
		return fmt.Errorf("take back the decision before: %w", err)
	}
	d := Decision{RosterID: rosterID, GdcID: gdcID, Decision: decision, DecidedAt: s.Now()}
	if err := tx.Gorm().Clauses(clause.OnConflict{Columns: ofPair("roster_id", "gdc_id"), DoUpdates: again}).Create(&d).Error; err != nil {
		return fmt.Errorf("keep the decision: %w", err)
	}
	if decision == models.LinkConfirmed {
		return restoreConfirmed(ctx, tx.Pgx(), &rosterID, s.Now())
	}
	if err := tx.Gorm().Where("rid = ? and cid = ?", booking.key, record.key).Delete(&GdcRow{}).Error; err != nil {
		return fmt.Errorf("remove the dismissed link: %w", err)
	}
	return nil
}

// ofPair names the columns of a key.
func ofPair(names ...string) []clause.Column {
	out := make([]clause.Column, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

// person is one end of a pair: a booking or a corrections record, published or not.
type person struct {
	key      int64
	countyID int16 // of a booking; 0 for a corrections record
	name     string
	born     string // YYYY-MM-DD, YYYY or empty
	withheld bool
}

// bookingCalled reads the booking with a public id.
func bookingCalled(tx *gorm.DB, id string) (p person, found bool, err error) {
	var b KnownBooking
	if found, err = maybe(tx.Where("id = ?", id), &b); err != nil {
		return p, false, fmt.Errorf("find booking: %w", err)
	}
	return person{b.RID, b.CountyID, b.Name, born(b.Dob, b.BirthYear), !b.Published}, found, nil
}

// recordCalled reads the corrections record with a public id.
func recordCalled(tx *gorm.DB, gdcID string) (p person, found bool, err error) {
	var o KnownCorrections
	if found, err = maybe(tx.Where("gdc_id = ?", gdcID), &o); err != nil {
		return p, false, fmt.Errorf("find corrections record: %w", err)
	}
	return person{o.CID, 0, o.Name, born(o.Dob, o.BirthYear), !o.Published}, found, nil
}

// linkEnds reads both ends of a pair; an unknown one is CodeNotFound with its id.
func linkEnds(tx *gorm.DB, rosterID, gdcID string) (booking, record person, err error) {
	booking, found, err := bookingCalled(tx, rosterID)
	if err == nil && !found {
		err = models.NotFound("there is no booking " + rosterID)
	}
	if err != nil {
		return booking, record, err
	}
	record, found, err = recordCalled(tx, gdcID)
	if err == nil && !found {
		err = models.NotFound("there is no corrections record " + gdcID)
	}
	return booking, record, err
}

// LinkPairOf returns what matching compares of a booking and a corrections record, with the booking's stored
// link and the decision about the pair, both nil if there is none. The stored link may lead to another
// record. Unknown ids are CodeNotFound.
func (s *Store) LinkPairOf(ctx context.Context, rosterID, gdcID string) (*models.LinkPair, error) {
	p := &models.LinkPair{}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		booking, record, err := linkEnds(tx.Gorm(), rosterID, gdcID)
		if err != nil {
			return err
		}
		p.Booking = models.LinkBooking{RID: booking.key, Name: booking.name, Born: booking.born, Dismissed: []string{}}
		p.Record = models.LinkRecord{GdcID: gdcID, Name: record.name, Born: record.born}
		p.Withheld = booking.withheld || record.withheld
		if err := readDecisions(tx.Gorm(), rosterID, gdcID, p); err != nil {
			return err
		}
		if p.Population, err = population(tx.Gorm()); err != nil {
			return err
		}
		p.Stored, err = storedLink(tx.Gorm().Table("gdc_links l").Joins("join known_corrections o on o.cid = l.cid").
			Select("o.gdc_id, l.confidence, l.probability, l.reasons, l.origin, l.pinned").Where("l.rid = ?", booking.key))
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// readDecisions fills in what operators decided about the booking of a pair.
func readDecisions(tx *gorm.DB, rosterID, gdcID string, p *models.LinkPair) error {
	var decisions []Decision
	if err := tx.Where("roster_id = ?", rosterID).Order("seq").Find(&decisions).Error; err != nil {
		return fmt.Errorf("read decisions: %w", err)
	}
	for _, d := range decisions {
		if d.Decision == models.LinkDismissed {
			p.Booking.Dismissed = append(p.Booking.Dismissed, d.GdcID)
		}
		if d.GdcID == gdcID {
			p.Decision = &d.Decision
		}
	}
	return nil
}

// population returns the number of records that chance agreement uses now, as in Run.Population.
func population(tx *gorm.DB) (int, error) {
	var records int
	if err := tx.Table("corrections_totals").Select("coalesce(sum(n), 0)").Scan(&records).Error; err != nil {
		return 0, fmt.Errorf("count records: %w", err)
	}
	return linkPopulation(records), nil
}

// storedLink reads the link that q finds, or nil when there is none.
func storedLink(q *gorm.DB) (*models.StoredLink, error) {
	var l models.StoredLink
	found, err := maybe(q, &l)
	if err != nil {
		return nil, fmt.Errorf("read link: %w", err)
	}
	if !found {
		return nil, nil //nolint:nilnil // most pairs have none
	}
	return &l, nil
}
