package photograph

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// PairsToCheck returns up to limit pairs of pictures that a model did not compare yet, those after a pair in the order of their
// keys. The zero Pair is before all others.
func (s *Store) PairsToCheck(ctx context.Context, model string, after Pair, limit int) (list []Pair, err error) {
	args := pgx.StrictNamedArgs{
		"model": model, "rid": after.RID, "cid": after.CID, "booking": after.Booking, "corrections": after.Corrections, "n": limit,
	}
	if err = db.Raw(s.rows(ctx), statements, "pairs_to_check", args).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("list pairs of photographs: %w", err)
	}
	return list, nil
}

// PutCheck stores what a comparison found. A pair that was deleted meanwhile takes none.
func (s *Store) PutCheck(ctx context.Context, c Check) error {
	c.CheckedAt = s.Now().UTC()
	var p Pair
	err := s.rows(ctx).Take(&p, "rid = ? and cid = ? and booking = ? and corrections = ?", c.RID, c.CID, c.Booking, c.Corrections).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil
	}
	if err == nil {
		err = s.rows(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&c).Error
	}
	if err != nil {
		return fmt.Errorf("store comparison: %w", err)
	}
	return nil
}

// SettleMatches deletes comparisons of pictures that are not shown any more, and makes the results of links what the others
// say.
func (s *Store) SettleMatches(ctx context.Context) error {
	if _, err := db.Exec(s.rows(ctx), statements, "end_checks", nil); err != nil {
		return fmt.Errorf("delete comparisons: %w", err)
	}
	var rids []int64
	if err := db.Raw(s.rows(ctx), statements, "unsettled_matches", nil).Scan(&rids).Error; err != nil {
		return fmt.Errorf("list results of comparisons: %w", err)
	}
	if len(rids) == 0 { // a statement that changes no link would still end cached answers
		return nil
	}
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := db.LockLinkTables(ctx, tx.Pgx()); err != nil {
			return err
		}
		if _, err := db.Exec(tx.Gorm(), statements, "settle_matches", pgx.StrictNamedArgs{"records": rids}); err != nil {
			return fmt.Errorf("store results of comparisons: %w", err)
		}
		return nil
	})
}

// ChecksOf returns the newest comparison of bookings with the records that they are linked to, by the keys of the bookings.
// Those of pictures that may not be shown any more are left out.
func (s *Store) ChecksOf(ctx context.Context, rids []int64) (map[int64]*Check, error) {
	var list []*Check
	if err := db.Raw(s.rows(ctx), statements, "checks_of", pgx.StrictNamedArgs{"records": rids}).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read comparisons: %w", err)
	}
	out := make(map[int64]*Check, len(list))
	for _, c := range list {
		out[c.RID] = c
	}
	return out, nil
}
