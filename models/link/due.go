package link

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
)

// fewVersions is how many changed records never make a run full, however few records there are. Without it a
// small department would be linked anew after every change.
const fewVersions = 20

// linkPopulation rounds up to a power of two, from 1024 on. The number of records decides how probable it is
// that two people agree by chance. Rounded, it seldom changes, and so the links of people whom no change
// concerns stay what they are.
func linkPopulation(records int) int {
	return 1 << max(10, bits.Len(uint(max(records, 1)-1)))
}

// takeEverything makes all bookings and cases due, and notes all records as those that the next run compares
// with.
func (r *Run) takeEverything(ctx context.Context, tx *joint.Tx) error {
	if err := tx.Gorm().Exec(`truncate linked_records`).Error; err != nil {
		return fmt.Errorf("forget records of the last run: %w", err)
	}
	if _, err := tx.Pgx().Exec(ctx, statements.Get("note_all_records")); err != nil {
		return fmt.Errorf("record all records: %w", err)
	}
	r.Versions = nil
	if err := tx.Gorm().Model(&KnownBooking{}).Order("rid").Pluck("rid", &r.Due).Error; err != nil {
		return fmt.Errorf("find due bookings: %w", err)
	}
	if err := tx.Gorm().Model(&KnownCase{}).Order("id").Pluck("id", &r.DueCases).Error; err != nil {
		return fmt.Errorf("find due cases: %w", err)
	}
	return nil
}

// findChanges compares the corrections records of new generations with what the last run knew of them. A
// record counts as changed only if its name or birth did: the rest, such as a new institution, cannot change
// a link.
func (r *Run) findChanges(ctx context.Context, tx pgx.Tx, last Progress) error {
	if _, err := tx.Exec(ctx, statements.Get("make_changed")); err != nil {
		return fmt.Errorf("make table of changed records: %w", err)
	}
	if _, err := tx.Exec(ctx, statements.Get("find_changed_records"), pgx.NamedArgs{"corrections_gen": last.CorrectionsGen}); err != nil {
		return fmt.Errorf("find changed records: %w", err)
	}
	for _, step := range []string{"forget_changed_records", "note_changed_records"} {
		if _, err := tx.Exec(ctx, statements.Get(step)); err != nil {
			return fmt.Errorf("record changed records: %w", err)
		}
	}
	var err error
	if r.Versions, err = all[models.LinkRecord](ctx, tx, "versions_of_changed_records", nil); err != nil {
		return fmt.Errorf("read changed records: %w", err)
	}
	return nil
}

// findDue finds the bookings and cases that changes after the last run may concern, decisions included. It
// needs findChanges before it.
func (r *Run) findDue(ctx context.Context, tx pgx.Tx, last Progress) (err error) {
	if r.Due, err = keys(ctx, tx, "due_bookings", pgx.NamedArgs{"roster_gen": last.RosterGen, "decision": last.Decision}); err != nil {
		return fmt.Errorf("find due bookings: %w", err)
	}
	if r.DueCases, err = keys(ctx, tx, "due_cases", pgx.NamedArgs{"courts_gen": last.CourtsGen, "court_decision": last.CourtDecision}); err != nil {
		return fmt.Errorf("find due cases: %w", err)
	}
	return nil
}

// CasesOfBookings returns the keys of the cases linked with some bookings. They are due when such a booking's
// own link changed, as a case follows its booking to the corrections record.
func (r *Run) CasesOfBookings(ctx context.Context, rids []int64) (cases []int64, err error) {
	err = r.store.rows(ctx).Model(&CourtRow{}).Where("rid = any (?)", column.Array[int64](rids)).Distinct().Pluck("case_id", &cases).Error
	if err != nil {
		return nil, fmt.Errorf("find cases of bookings: %w", err)
	}
	return cases, nil
}

// ByCounty sorts the keys of cases by county, so that the bookings of a county are read once for many cases.
func (r *Run) ByCounty(ctx context.Context, cases []int64) ([]int64, error) {
	if len(cases) < 2 {
		return cases, nil
	}
	sorted, err := keys(ctx, r.store.Pool(), "cases_by_county", pgx.NamedArgs{"cases": cases})
	if err != nil {
		return nil, fmt.Errorf("sort cases: %w", err)
	}
	return sorted, nil
}
