package claim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db"
	"rollcall/models/db/joint"
	"rollcall/resolve"
)

// Reviews lists the records that wait for a review, oldest first, or with decided those that were reviewed, newest decision
// first. It returns limit at most, and how many there are in all. sourceID narrows the list; empty: all sources.
func (s *Store) Reviews(ctx context.Context, decided bool, sourceID string, limit int) (list []*models.Pending, total int, err error) {
	return s.ReviewsOf(ctx, models.ReviewFilter{Decided: decided, Source: sourceID}, limit)
}

// ReviewsOf is Reviews for the records that a filter leaves.
func (s *Store) ReviewsOf(ctx context.Context, f models.ReviewFilter, limit int) (list []*models.Pending, total int, err error) {
	found, err := readReviews(s.db.Gorm().WithContext(ctx), f, "", limit)
	for _, f := range found {
		list, total = append(list, &f.Pending), f.Total
	}
	return list, total, err
}

// ReviewOf returns the record with a public id as the lists of reviews have it; nil: it is on neither.
func (s *Store) ReviewOf(ctx context.Context, id string) (*models.Pending, error) {
	if err := models.PlainText("record", id); err != nil || id == "" {
		return nil, err
	}
	found, err := readReviews(s.db.Gorm().WithContext(ctx), models.ReviewFilter{}, id, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0].Pending, nil
}

// reviewed is a record that waits for a review, or was reviewed, beside how many there are.
type reviewed struct {
	models.Pending `gorm:"embedded"`
	Key            int64
	Total          int
}

// readReviews reads records that are open to review: those that a filter leaves, or with an id that one.
func readReviews(on *gorm.DB, f models.ReviewFilter, id string, limit int) (list []*reviewed, err error) {
	args := pgx.StrictNamedArgs{
		"id": id, "decided": f.Decided, "source": f.Source, "reason": string(f.Reason), "county": f.CountyID, "seen_since": f.SeenSince, "seen_until": f.SeenUntil,
		"limit": limit, "skip": f.Skip,
	}
	if err := db.Raw(on, statements, "reviews", args).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("list reviews: %w", err)
	}
	return list, nil
}

// Review stores an operator's decision about a withheld record, by its public id. A lifted record is published. It stays so
// whatever its sources send, until they say more of the birth, or list a vanished record again and lose it again. A record
// that is kept stays hidden.
//
// A booking that is published while the person is in jail is a booking to watchers. Court cases that were withheld on its
// account are published with it. The error is a not-found Error for a record that is not open to review.
func (s *Store) Review(ctx context.Context, id string, decision models.ReviewDecision, actor, note string) error {
	_, err := s.ReviewAsSeen(ctx, id, "", decision, actor, note)
	return err
}

// ReviewAsSeen is Review on condition that the record is as the operator saw it (Pending.Version); else the error is
// ErrChanged. An empty version means any. It returns the record as it was before the decision.
func (s *Store) ReviewAsSeen(ctx context.Context, id, version string, decision models.ReviewDecision, actor, note string) (p *models.Pending, err error) {
	if note, err = models.Grounds("note", note, 500); err != nil {
		return nil, err
	}
	id = strings.TrimSpace(id)
	err = s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, models.Roster)
		if err := t.Do(ctx, "one_review_at_a_time", engine.Args{"id": id}); err != nil {
			return err
		}
		found, err := t.toReview(ctx, id)
		if err != nil {
			return err
		}
		p = &found.Pending
		if version != "" && version != p.Version() {
			return models.ErrChanged
		}
		of := resolve.Ref{Family: p.Family, Record: found.Key}
		return s.decideOn(ctx, tx, of, decisionKinds[decision], p.Reason, actor, note)
	})
	return p, err
}

// decisionKinds are the decisions as package resolve knows them.
var decisionKinds = map[models.ReviewDecision]resolve.DecisionKind{models.ReviewLifted: resolve.Publish, models.ReviewKept: resolve.Withhold}

// toReview finds a record that waits for a review or was reviewed. Else the error says why nobody can decide about it: the
// record does not exist, is published, or is withheld for a reason that is not open to review, as a juvenile's is.
func (s *action) toReview(ctx context.Context, id string) (*reviewed, error) {
	list, err := readReviews(s.rows, models.ReviewFilter{}, id, 1)
	if err != nil {
		return nil, err
	}
	if id != "" && len(list) > 0 {
		return list[0], nil
	}
	var why string
	err = s.One(ctx, "withheld_as", engine.Args{"id": id}, &why)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, models.NotFoundAs(models.ErrNoReview, "no record "+id+" waits for a review")
	case err != nil:
		return nil, err
	default:
		return nil, models.NotFound(fmt.Sprintf("%s is withheld as %q, which cannot be reviewed: only %q, %q and %q can", id, why,
			models.WithheldMaybeJuvenile, models.WithheldVanished, models.WithheldMaybeRestricted))
	}
}
