package claim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/roster"
	"rollcall/resolve"
)

// Reviews lists the records that wait for a review, oldest first, or with decided those that were reviewed, newest decision
// first. It returns limit at most, and how many there are in all. sourceID narrows the list; empty: all sources.
func (s *Store) Reviews(ctx context.Context, decided bool, sourceID string, limit int) (list []*models.Pending, total int, err error) {
	found, total, err := readReviews(ctx, s.db.Pool(), engine.Args{"id": "", "decided": decided, "source": sourceID, "limit": limit})
	for _, f := range found {
		list = append(list, f.Pending)
	}
	return list, total, err
}

// reviewed is a record that waits for a review, or was reviewed, with its key.
type reviewed struct {
	*models.Pending
	key int64
}

// queryer is a pool, or a transaction.
type queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// readReviews reads records that are open to review. total counts them all.
func readReviews(ctx context.Context, db queryer, a engine.Args) (list []reviewed, total int, err error) {
	rows, err := db.Query(ctx, statements.Get("reviews"), a)
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (reviewed, error) {
		p := reviewed{Pending: &models.Pending{}}
		err := r.Scan(&p.ID, &p.Family, &p.key, &p.Reason, &p.SourceID, &p.Name, &p.BirthYear, &p.At, &p.Because, &p.TakenBack, &p.LastSeen, &p.Decision,
			&p.Actor, &p.Note, &p.DecidedAt, &p.ReviewID, &total)
		p.LastSeen = p.LastSeen.UTC()
		return p, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	return list, total, nil
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
	if note, err = models.NameText("note", note, 500); err != nil {
		return nil, err
	}
	id = strings.TrimSpace(id)
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		t := s.action(tx, models.Roster)
		if err := t.Do(ctx, "one_review_at_a_time", engine.Args{"id": id}); err != nil {
			return err
		}
		found, err := t.toReview(ctx, id)
		if err != nil {
			return err
		}
		p = found.Pending
		if version != "" && version != p.Version() {
			return models.ErrChanged
		}
		if p.Family == models.Courts { // bookings may follow, and who writes both families takes that of the roster first
			if err := t.Lock(ctx); err != nil {
				return err
			}
		}
		of := resolve.Ref{Family: p.Family, Record: found.key}
		if err := s.DecideIn(ctx, tx, of, decisionKinds[decision], models.WithheldReason(p.Reason), actor, note); err != nil {
			return err
		}
		if p.Family != models.Courts {
			return nil
		}
		return roster.FollowCases(ctx, t.Session, []int64{found.key}, engine.Origin{})
	})
	return p, err
}

// decisionKinds are the decisions as package resolve knows them.
var decisionKinds = map[models.ReviewDecision]resolve.DecisionKind{models.ReviewLifted: resolve.Publish, models.ReviewKept: resolve.Withhold}

// toReview finds a record that waits for a review or was reviewed. Else the error says why nobody can decide about it: the
// record does not exist, is published, or is withheld for a reason that is not open to review, as a juvenile's is.
func (s *action) toReview(ctx context.Context, id string) (reviewed, error) {
	list, _, err := readReviews(ctx, s.Tx, engine.Args{"id": id, "decided": false, "source": "", "limit": 1})
	if err != nil {
		return reviewed{}, err
	}
	if id != "" && len(list) > 0 {
		return list[0], nil
	}
	var why string
	err = s.One(ctx, "withheld_as", engine.Args{"id": id}, &why)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return reviewed{}, models.NotFoundAs(models.ErrNoReview, "no record "+id+" waits for a review")
	case err != nil:
		return reviewed{}, err
	default:
		return reviewed{}, models.NotFound(fmt.Sprintf("%s is withheld as %q, which is not open to review: only %q and %q are", id, why,
			models.MaybeJuvenile, models.Vanished))
	}
}
