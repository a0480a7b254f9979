package link

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/db/joint"
)

// decisions narrows to the decisions about a case and one kind of person. They name the case by what the court calls it, so
// that they outlive a deleted and re-imported row.
func (c *KnownCase) decisions(tx *gorm.DB, family models.Family) *gorm.DB {
	return tx.Where("county_id = ? and court_type = ? and case_number = ? and party = ? and family = ?",
		c.CountyID, c.CourtType, c.CaseNumber, c.Party, family)
}

// courtEnds are a case and the booking or corrections record that is paired with it.
type courtEnds struct {
	court KnownCase
	// family is that of the person: Roster or Corrections.
	family models.Family
	// id is the public id of the person's record.
	id     string
	person person
	// rid and cid are the key of the person's record; one of the two is set.
	rid, cid *int64
}

// findCourtEnds finds a pair: caseID is one of CourtCase.ID, id that of a booking or a corrections record.
// Withheld ones are found too, because operators decide about them. Unknown ones are CodeNotFound.
func (s *Store) findCourtEnds(tx *gorm.DB, caseID, id string) (e courtEnds, err error) {
	none := models.NotFound("there is no court case " + caseID)
	slug, key, ok := models.ParseCaseID(caseID)
	if !ok {
		return e, none
	}
	found, err := maybe(tx.Where("id = ?", key), &e.court)
	if err != nil {
		return e, fmt.Errorf("find case: %w", err)
	}
	if !found || s.Counties().ByID(e.court.CountyID).Slug != slug {
		return e, none
	}
	e.id = id
	if e.person, found, err = bookingCalled(tx, id); err != nil {
		return e, err
	}
	if found {
		e.family, e.rid = models.Roster, &e.person.key
		return e, nil
	}
	if e.person, found, err = recordCalled(tx, id); err != nil {
		return e, err
	}
	if !found {
		return e, models.NotFound("there is no booking or corrections record " + id)
	}
	e.family, e.cid = models.Corrections, &e.person.key
	return e, nil
}

// restoreConfirmedCourts pins the confirmed pairs whose ends exist, also those that came back under their
// names: those of one case, by its key, or with nil all. A case keeps one corrections record: the confirmed one replaces any
// other.
func restoreConfirmedCourts(ctx context.Context, tx pgx.Tx, key *int64, now time.Time) error {
	if _, err := tx.Exec(ctx, statements.Get("forget_replaced_record"), pgx.NamedArgs{"case": key}); err != nil {
		return fmt.Errorf("replace links by confirmed ones: %w", err)
	}
	for _, step := range []string{"pin_confirmed_bookings", "pin_confirmed_records"} {
		if _, err := tx.Exec(ctx, statements.Get(step), pgx.NamedArgs{"case": key, "now": now}); err != nil {
			return fmt.Errorf("pin confirmed links of cases: %w", err)
		}
	}
	return nil
}

// DecideCourtLink stores an operator's decision about a case (CourtCase.ID) and a booking or corrections
// record, and applies it at once, like DecideLink. A case has any number of bookings and one corrections
// record. A case that is linked with a withheld juvenile's booking is withheld as well, and shown again when
// the two are dismissed: so the bookings' visibility is followed in the same transaction. Unknown ids are
// CodeNotFound.
func (s *Store) DecideCourtLink(ctx context.Context, caseID, id string, decision models.LinkChoice) error {
	return s.decided(ctx, func(tx *joint.Tx, claims *claim.Store) error {
		return s.decideCourtLink(ctx, tx, claims, caseID, id, decision)
	})
}

// decideCourtLink is DecideCourtLink in a transaction of decided.
func (s *Store) decideCourtLink(ctx context.Context, tx *joint.Tx, claims *claim.Store, caseID, id string, decision models.LinkChoice) error {
	e, err := s.findCourtEnds(tx.Gorm(), caseID, id)
	if err != nil {
		return err
	}
	if err := s.keepCourtDecision(tx.Gorm(), &e, decision); err != nil {
		return err
	}
	if decision == models.LinkConfirmed {
		err = restoreConfirmedCourts(ctx, tx.Pgx(), &e.court.Key, s.Now())
	} else if err = e.link(tx.Gorm()).Delete(&CourtRow{}).Error; err != nil {
		err = fmt.Errorf("remove the dismissed link: %w", err)
	}
	if err != nil || e.rid == nil {
		return err
	}
	return claims.FollowLink(ctx, tx.Pgx(), e.court.Key, *e.rid)
}

// link narrows to the link of the pair.
func (e *courtEnds) link(tx *gorm.DB) *gorm.DB {
	if e.rid != nil {
		return tx.Where("case_id = ? and rid = ?", e.court.Key, *e.rid)
	}
	return tx.Where("case_id = ? and cid = ?", e.court.Key, *e.cid)
}

// keepCourtDecision stores a decision and removes those that it contradicts: the earlier decision about the
// pair, and for a confirmed corrections record the confirmation of another one.
func (s *Store) keepCourtDecision(tx *gorm.DB, e *courtEnds, decision models.LinkChoice) error {
	before := e.court.decisions(tx, e.family).Where("decision = ?", models.LinkConfirmed)
	if decision != models.LinkConfirmed || e.family == models.Roster { // else no other record stays confirmed
		before = before.Where("person = ?", e.id)
	}
	if err := before.Delete(&CourtDecision{}).Error; err != nil {
		return fmt.Errorf("take back the decision before: %w", err)
	}
	d := e.decision(decision, s.Now())
	key := ofPair("county_id", "court_type", "case_number", "party", "family", "person")
	if err := tx.Clauses(clause.OnConflict{Columns: key, DoUpdates: again}).Create(&d).Error; err != nil {
		return fmt.Errorf("keep the decision: %w", err)
	}
	return nil
}

// decision is one about the pair.
func (e *courtEnds) decision(choice models.LinkChoice, now time.Time) CourtDecision {
	return CourtDecision{
		CountyID: e.court.CountyID, CourtType: e.court.CourtType, CaseNumber: e.court.CaseNumber, Party: e.court.Party,
		Family: e.family, Person: e.id, Decision: choice, DecidedAt: now,
	}
}

// CourtPairOf returns what matching compares of a case and a booking or corrections record, with the stored
// link and the decision about them, both nil if there is none. It explains a link to operators. Unknown ids
// are CodeNotFound.
func (s *Store) CourtPairOf(ctx context.Context, caseID, id string) (*models.CourtPair, error) {
	p := &models.CourtPair{SameCounty: true}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		e, err := s.findCourtEnds(tx.Gorm(), caseID, id)
		if err != nil {
			return err
		}
		p.Number, p.Withheld = e.court.CaseNumber, !e.court.Published || e.person.withheld
		if p.Population, err = population(tx.Gorm()); err != nil {
			return err
		}
		if err := readCourtEnds(ctx, tx, &e, p); err != nil {
			return err
		}
		var d CourtDecision
		found, err := maybe(e.court.decisions(tx.Gorm(), e.family).Where("person = ?", id), &d)
		if err != nil {
			return fmt.Errorf("read decision: %w", err)
		}
		if found {
			p.Decision = &d.Decision
		}
		p.Stored, err = storedLink(e.link(tx.Gorm()).Table("court_links").Select("confidence, probability, reasons, origin, pinned"))
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// readCourtEnds fills in what matching compares. An end that was deleted meanwhile stays empty.
func readCourtEnds(ctx context.Context, tx *joint.Tx, e *courtEnds, p *models.CourtPair) error {
	cases, err := readCases(ctx, tx.Pgx(), []int64{e.court.Key}, true)
	if err != nil {
		return fmt.Errorf("read case: %w", err)
	}
	if len(cases) == 1 { // else it was deleted meanwhile
		p.Case = cases[0]
	}
	if e.cid != nil {
		p.Record = &models.LinkRecord{GdcID: e.id, Name: e.person.name, Born: e.person.born}
		return nil
	}
	stays, err := readStays(ctx, tx.Pgx(), []int64{*e.rid}, true)
	if err != nil {
		return fmt.Errorf("read booking: %w", err)
	}
	if len(stays) == 1 {
		p.Stay = &stays[0]
	}
	p.SameCounty = e.person.countyID == e.court.CountyID
	return nil
}
