package claim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
	"rollcall/resolve"
)

// Restrict withholds a booking, case or corrections record by its public id, because an operator knows of an order that its
// sources do not state. Nothing that they send publishes it again; Review with models.ReviewLifted does. It returns the source that
// reported the record first. The error is a not-found Error for an id without a record, or of a merged one.
func (s *Store) Restrict(ctx context.Context, id, actor, note string) (source string, err error) {
	if note, err = models.NameText("note", note, 500); err != nil {
		return "", err
	}
	id = plainID(id)
	return source, s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, models.Roster)
		if err := t.Do(ctx, "one_review_at_a_time", engine.Args{"id": id}); err != nil {
			return err
		}
		of, by, err := t.recordByID(ctx, id)
		if source = by; err != nil {
			return err
		}
		return s.decideOn(ctx, tx, of, resolve.Withhold, models.WithheldRestricted, actor, note)
	})
}

// plainID returns an id as the tables have it. GraphQL has another one of a corrections record; no county is called gdc.
func plainID(id string) string { return strings.TrimPrefix(strings.TrimSpace(id), "gdc-") }

// Merged is a record with those that were merged into it.
type Merged struct {
	Family models.Family
	// Records are their keys, the one that stayed first.
	Records []int64
	// PublicID is the id by which it was found, as the tables have it.
	PublicID string
}

// MergedByID returns a record by its public id, withheld or not, merged or not. The error is a not-found Error for an id without a
// record.
func (s *Store) MergedByID(ctx context.Context, id string) (*Merged, error) {
	id = plainID(id)
	found := &Merged{PublicID: id}
	err := s.db.Joint(ctx, func(tx *joint.Tx) error {
		var record int64
		return s.action(tx, models.Roster).Each(ctx, "merged_by_id", engine.Args{"id": id}, []any{&found.Family, &record}, func() error {
			found.Records = append(found.Records, record)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("find record %s: %w", id, err)
	}
	if len(found.Records) == 0 {
		return nil, models.NotFound("there is no record " + id)
	}
	return found, nil
}

// recordByID returns a record that was not merged by its public id, with the source that reported it first. The error is a not-found
// Error for any other id.
func (s *action) recordByID(ctx context.Context, id string) (of resolve.Ref, source string, err error) {
	err = s.One(ctx, "record_by_id", engine.Args{"id": id}, &of.Family, &of.Record, &source)
	if errors.Is(err, pgx.ErrNoRows) {
		return of, "", models.NotFound("there is no record " + id)
	}
	if err != nil {
		return of, "", fmt.Errorf("find record %s: %w", id, err)
	}
	return of, source, nil
}
