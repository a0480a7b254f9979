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
	if note, err = models.Grounds("note", note, 500); err != nil {
		return "", err
	}
	if id = plainID(id); id == "" {
		return "", models.Invalid("record", "write the id of the record")
	}
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

// plainID returns an id as the tables have it, where all are small. GraphQL has another one of a corrections record; no county is
// called gdc.
func plainID(id string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(id)), "gdc-")
}

// MergedByID returns the family and the keys of a record and of those that were merged into it, the one that stayed first, by the public
// id of any of them, withheld or not. plain is the id as the tables have it. The error is a not-found Error for an id without a record.
func (s *Store) MergedByID(ctx context.Context, id string) (family models.Family, records []int64, plain string, err error) {
	plain = plainID(id)
	err = s.db.Joint(ctx, func(tx *joint.Tx) error {
		var record int64
		return s.action(tx, models.Roster).Each(ctx, "merged_by_id", engine.Args{"id": plain}, []any{&family, &record}, func() error {
			records = append(records, record)
			return nil
		})
	})
	if err != nil {
		return "", nil, plain, fmt.Errorf("find record %s: %w", plain, err)
	}
	if len(records) == 0 {
		return "", nil, plain, models.NotFound("there is no record " + plain)
	}
	return family, records, plain, nil
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
