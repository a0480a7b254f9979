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

// RecordByID returns the family and key of a record by its public id, withheld or not. The error is a not-found Error for an id
// without a record, or of a merged one.
func (s *Store) RecordByID(ctx context.Context, id string) (family models.Family, record int64, err error) {
	return family, record, s.db.Joint(ctx, func(tx *joint.Tx) error {
		of, _, err := s.action(tx, models.Roster).recordByID(ctx, plainID(id))
		family, record = of.Family, of.Record
		return err
	})
}

// recordByID is RecordByID with the source that reported the record first.
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
