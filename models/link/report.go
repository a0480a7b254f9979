package link

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/db/joint"
)

// mostReports is how many open reports an account may have.
const mostReports = 100

// PersonApart says of two records that they are two people's, whatever links say. Each pair has a row in either direction. It is the GORM
// model of people_apart.
type PersonApart struct {
	Report      int64 `gorm:"primaryKey;autoIncrement:false"` // models.PersonReport.ID
	Family      models.Family
	Record      int64
	OtherFamily models.Family
	Other       int64
}

// TableName is the table of records that operators keep apart.
func (PersonApart) TableName() string { return "people_apart" }

// ReportPerson stores a report of an account's member for operators. A second open one about the record is CodeConflict, as is one
// more than an account may have open.
func (s *Store) ReportPerson(ctx context.Context, r *models.PersonReport) (err error) {
	if r.Note, err = models.NameText("note", strings.TrimSpace(r.Note), 500); err != nil {
		return err
	}
	r.State, r.MadeAt = models.ReportOpen, s.Moment()
	var open int64
	if err := s.rows(ctx).Model(r).Where("account_id = ? and state = ?", r.AccountID, models.ReportOpen).Count(&open).Error; err != nil {
		return fmt.Errorf("count reports: %w", err)
	}
	if open >= mostReports {
		return &models.Error{Code: models.CodeConflict, Message: "operators still have 100 reports from your account to check; report more when they have decided those"}
	}
	done := s.rows(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(r)
	if done.Error != nil {
		return fmt.Errorf("store report: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return &models.Error{Code: models.CodeConflict, Message: "this record is already reported; operators will check it"}
	}
	return nil
}

// PersonReports returns reports and how many there are: the open ones, oldest first, or the decided ones, newest first.
func (s *Store) PersonReports(ctx context.Context, open bool, limit int) (list []*models.PersonReport, total int, err error) {
	in, order := "state = 'open'", "made_at, id"
	if !open {
		in, order = "state <> 'open'", "decided_at desc, id desc"
	}
	var n int64
	if err := s.rows(ctx).Model(&models.PersonReport{}).Where(in).Count(&n).Error; err != nil {
		return nil, 0, fmt.Errorf("count reports: %w", err)
	}
	list = []*models.PersonReport{}
	if err := s.rows(ctx).Where(in).Order(order).Limit(limit).Find(&list).Error; err != nil {
		return nil, 0, fmt.Errorf("list reports: %w", err)
	}
	return list, int(n), nil
}

// errDecided is for a report that is not there, or was decided meanwhile, and errReopened for one whose decision was undone meanwhile.
var (
	errDecided  = models.NotFound("this report was decided after you opened the page; nothing was changed")
	errReopened = models.NotFound("this decision was undone after you opened the page; nothing was changed")
)

// PersonReport returns a report, or CodeNotFound.
func (s *Store) PersonReport(ctx context.Context, id int64) (*models.PersonReport, error) {
	var r models.PersonReport
	found, err := maybe(s.rows(ctx).Where("id = ?", id), &r)
	if err == nil && !found {
		err = models.NotFound("no such report")
	}
	return &r, err
}

// SplitPerson ends an open report: its record is none of the others' person, for good. Links between them are dismissed as by
// DecideLink and DecideCourtLink, and no later one joins them. ReopenReport takes it back.
func (s *Store) SplitPerson(ctx context.Context, id int64, actor, grounds string, record *models.PersonRecord, others []*models.PersonRecord) error {
	return s.decided(ctx, func(tx *joint.Tx, claims *claim.Store) error {
		if err := s.decideReport(tx.Gorm(), id, models.ReportCut, actor, grounds); err != nil {
			return err
		}
		var rows []PersonApart
		for _, other := range others {
			if err := s.dismissPair(ctx, tx, claims, id, record, other); err != nil {
				return err
			}
			a, b := record.Ref(), other.Ref()
			rows = append(rows, PersonApart{id, a.Family, a.Key, b.Family, b.Key}, PersonApart{id, b.Family, b.Key, a.Family, a.Key})
		}
		if len(rows) == 0 {
			return nil
		}
		if err := tx.Gorm().Create(&rows).Error; err != nil {
			return fmt.Errorf("keep records apart: %w", err)
		}
		return nil
	})
}

// KeepPerson ends an open report: its record stays with the person.
func (s *Store) KeepPerson(ctx context.Context, id int64, actor, grounds string) error {
	return s.decideReport(s.rows(ctx), id, models.ReportKept, actor, grounds)
}

// ReopenReport takes a SplitPerson or KeepPerson back: the report waits again, and the records may be one person's. It returns how many
// of the links that the decision dismissed are restored. Links that somebody decided about since stay as they are. CodeConflict: the
// record was reported again, which waits by itself.
func (s *Store) ReopenReport(ctx context.Context, id int64) (links int, err error) {
	return links, s.decided(ctx, func(tx *joint.Tx, claims *claim.Store) (err error) {
		if err := reopen(tx.Gorm(), id); err != nil {
			return err
		}
		if err := tx.Gorm().Where("report = ?", id).Delete(&PersonApart{}).Error; err != nil {
			return fmt.Errorf("take a decision back: %w", err)
		}
		links, err = s.restoreLinks(ctx, tx, claims, id)
		return err
	})
}

// reopen forgets the decision about a report. A record has one open report.
func reopen(tx *gorm.DB, id int64) error {
	var r models.PersonReport
	found, err := maybe(tx.Where("id = ? and state <> ?", id, models.ReportOpen), &r)
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	if !found {
		return errReopened
	}
	var open int64
	if err := tx.Model(&r).Where("record = ? and state = ?", r.Record, models.ReportOpen).Count(&open).Error; err != nil {
		return fmt.Errorf("count reports: %w", err)
	}
	if open > 0 {
		return &models.Error{Code: models.CodeConflict, Message: "this record was reported again: decide that report; nothing was changed"}
	}
	err = tx.Model(&models.PersonReport{}).Where("id = ?", id).
		Updates(map[string]any{"state": models.ReportOpen, "grounds": nil, "decided_by": nil, "decided_at": nil}).Error
	if err != nil {
		return fmt.Errorf("reopen report: %w", err)
	}
	return nil
}

// decideReport notes a decision about an open report.
func (s *Store) decideReport(tx *gorm.DB, id int64, state models.ReportState, actor, grounds string) error {
	grounds, err := models.Grounds("note", strings.TrimSpace(grounds), 500)
	if err != nil {
		return err
	}
	done := tx.Model(&models.PersonReport{}).Where("id = ? and state = ?", id, models.ReportOpen).
		Updates(map[string]any{"state": state, "grounds": grounds, "decided_by": actor, "decided_at": s.Moment()})
	if done.Error != nil {
		return fmt.Errorf("decide report: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return errDecided
	}
	return nil
}
