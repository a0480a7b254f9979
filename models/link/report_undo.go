package link

import (
	"context"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// ReportLink is a pair that SplitPerson dismissed, with what was stored of it before. It is the GORM model of report_links.
type ReportLink struct {
	Report int64  `gorm:"primaryKey;autoIncrement:false"` // models.PersonReport.ID
	One    string `gorm:"primaryKey"`                     // Booking.ID, or CourtCase.ID
	Other  string `gorm:"primaryKey"`                     // CorrectionsRecord.GdcID, or beside a case also Booking.ID
	Was    Former `gorm:"serializer:json"`
}

// TableName is the table of pairs that reports dismissed.
func (ReportLink) TableName() string { return "report_links" }

// Former is what was stored of a pair before it was dismissed. Nothing of it may be set: then it had no link.
type Former struct {
	Confirmed bool      `json:",omitempty"` // by an operator
	Gdc       *GdcRow   `json:",omitempty"`
	Court     *CourtRow `json:",omitempty"`
}

// decided runs fn in a transaction that may write links, decisions about them and who is withheld on their account.
func (s *Store) decided(ctx context.Context, fn func(tx *joint.Tx, claims *claim.Store) error) error {
	return s.Joint(ctx, func(tx *joint.Tx) error {
		claims := claim.New(s.DB, claim.Needs{})
		if err := claims.LockRoster(ctx, tx.Pgx()); err != nil {
			return err
		}
		if err := db.LockLinkTables(ctx, tx.Pgx()); err != nil {
			return err
		}
		return fn(tx, claims)
	})
}

// dismissPair dismisses the link of two records for a report, where there can be one: bookings have none with each other. It keeps
// what it dismisses. A pair that was dismissed before is none of this report's.
func (s *Store) dismissPair(ctx context.Context, tx *joint.Tx, claims *claim.Store, report int64, a, b *models.PersonRecord) (err error) {
	if b.Case != nil || a.Corrections != nil && b.Booking != nil {
		a, b = b, a
	}
	l := ReportLink{Report: report, Other: b.PublicID()}
	var choice models.LinkChoice
	switch {
	case a.Case != nil && b.Case == nil:
		l.One = a.Case.ID()
		choice, err = s.formerCourt(tx.Gorm(), &l)
	case a.Booking != nil && b.Corrections != nil:
		l.One = a.Booking.ID
		choice, err = formerLink(tx.Gorm(), &l)
	default:
		return nil
	}
	if err != nil || choice == models.LinkDismissed {
		return err
	}
	l.Was.Confirmed = choice == models.LinkConfirmed
	if err := tx.Gorm().Create(&l).Error; err != nil {
		return fmt.Errorf("keep the link before: %w", err)
	}
	if a.Case != nil {
		return s.decideCourtLink(ctx, tx, claims, l.One, l.Other, models.LinkDismissed)
	}
	return s.decideLink(ctx, tx, l.One, l.Other, models.LinkDismissed)
}

// formerCourt reads the decision about a case and its pair, and into l the link.
func (s *Store) formerCourt(tx *gorm.DB, l *ReportLink) (models.LinkChoice, error) {
	e, err := s.findCourtEnds(tx, l.One, l.Other)
	if err != nil {
		return "", err
	}
	var d CourtDecision
	if _, err := maybe(e.court.decisions(tx, e.family).Where("person = ?", e.id), &d); err != nil {
		return "", fmt.Errorf("read decision: %w", err)
	}
	var row CourtRow
	found, err := maybe(e.link(tx), &row)
	if found {
		l.Was.Court = &row
	}
	return d.Decision, err
}

// formerLink reads the decision about a booking and a corrections record, and into l the link.
func formerLink(tx *gorm.DB, l *ReportLink) (models.LinkChoice, error) {
	booking, record, err := linkEnds(tx, l.One, l.Other)
	if err != nil {
		return "", err
	}
	var d Decision
	if _, err := maybe(tx.Where("roster_id = ? and gdc_id = ?", l.One, l.Other), &d); err != nil {
		return "", fmt.Errorf("read decision: %w", err)
	}
	var row GdcRow
	found, err := maybe(tx.Where("rid = ? and cid = ?", booking.key, record.key), &row)
	if found {
		l.Was.Gdc = &row
	}
	return d.Decision, err
}

// restoreLinks gives the pairs that a report dismissed back what they had, and returns how many have a link again. A pair that
// somebody decided about since stays as it is, and so does one with a record that is gone.
func (s *Store) restoreLinks(ctx context.Context, tx *joint.Tx, claims *claim.Store, report int64) (restored int, err error) {
	var list []ReportLink
	if err := tx.Gorm().Where("report = ?", report).Order("one, other").Find(&list).Error; err != nil {
		return 0, fmt.Errorf("read dismissed links: %w", err)
	}
	for i := range list {
		restore := s.restoreLink
		if _, _, ofCase := models.ParseCaseID(list[i].One); ofCase {
			restore = s.restoreCourtLink
		}
		again, err := restore(ctx, tx, claims, &list[i])
		if err != nil && models.CodeOf(err) != models.CodeNotFound {
			return 0, fmt.Errorf("restore a link: %w", err)
		}
		if again {
			restored++
		}
	}
	if err := tx.Gorm().Where("report = ?", report).Delete(&ReportLink{}).Error; err != nil {
		return 0, fmt.Errorf("forget dismissed links: %w", err)
	}
	return restored, nil
}

// restoreLink is restoreLinks for a booking and a corrections record.
func (s *Store) restoreLink(ctx context.Context, tx *joint.Tx, _ *claim.Store, l *ReportLink) (bool, error) {
	booking, record, err := linkEnds(tx.Gorm(), l.One, l.Other)
	if err != nil {
		return false, err
	}
	gone := tx.Gorm().Where("roster_id = ? and gdc_id = ? and decision = ?", l.One, l.Other, models.LinkDismissed).Delete(&Decision{})
	if gone.Error != nil || gone.RowsAffected == 0 {
		return false, gone.Error
	}
	if l.Was.Confirmed {
		d := Decision{RosterID: l.One, GdcID: l.Other, Decision: models.LinkConfirmed, DecidedAt: s.Now()}
		if err := unlessTaken(tx.Gorm()).Create(&d).Error; err != nil {
			return false, err
		}
		return true, restoreConfirmed(ctx, tx.Pgx(), &l.One, s.Now())
	}
	row := l.Was.Gdc
	if row == nil || booking.withheld || record.withheld {
		return false, nil
	}
	row.RID, row.CID = booking.key, record.key
	if err := tx.Gorm().Where("rid = ? and not pinned", row.RID).Delete(&GdcRow{}).Error; err != nil {
		return false, err
	}
	put := unlessTaken(tx.Gorm()).Create(row)
	return put.RowsAffected > 0, put.Error
}

// restoreCourtLink is restoreLinks for a case and its pair.
func (s *Store) restoreCourtLink(ctx context.Context, tx *joint.Tx, claims *claim.Store, l *ReportLink) (again bool, err error) {
	e, err := s.findCourtEnds(tx.Gorm(), l.One, l.Other)
	if err != nil {
		return false, err
	}
	gone := e.court.decisions(tx.Gorm(), e.family).Where("person = ? and decision = ?", e.id, models.LinkDismissed).Delete(&CourtDecision{})
	if gone.Error != nil || gone.RowsAffected == 0 {
		return false, gone.Error
	}
	switch {
	case l.Was.Confirmed:
		d := e.decision(models.LinkConfirmed, s.Now())
		if err := unlessTaken(tx.Gorm()).Create(&d).Error; err != nil {
			return false, err
		}
		again, err = true, restoreConfirmedCourts(ctx, tx.Pgx(), &e.court.Key, s.Now())
	case l.Was.Court != nil && e.court.Published && !e.person.withheld:
		again, err = e.put(tx.Gorm(), l.Was.Court)
	}
	if err != nil || e.rid == nil {
		return again, err
	}
	return again, claims.FollowLink(ctx, tx.Pgx(), e.court.Key, *e.rid)
}

// put stores the pair's link again. A case has one corrections record: one that matching found meanwhile gives way.
func (e *courtEnds) put(tx *gorm.DB, row *CourtRow) (bool, error) {
	row.CaseKey, row.RID, row.CID = e.court.Key, e.rid, e.cid
	if e.cid != nil {
		if err := tx.Where("case_id = ? and cid is not null and not pinned", row.CaseKey).Delete(&CourtRow{}).Error; err != nil {
			return false, err
		}
	}
	put := unlessTaken(tx).Create(row)
	return put.RowsAffected > 0, put.Error
}

// unlessTaken stores nothing where an operator's later choice stands.
func unlessTaken(tx *gorm.DB) *gorm.DB { return tx.Clauses(clause.OnConflict{DoNothing: true}) }
