package claim

import (
	"context"
	"errors"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
)

// Rebuilt says what a rebuild found.
type Rebuilt struct {
	Family  models.Family // that was resolved anew
	Records int           // resolved
	Changed int           // of these, those that became others
	Changes []Change      // the first of them

	counted map[string]bool // those that changed, by public id
}

// maxChanges bounds how many changes a rebuild lists.
const maxChanges = 200

// errDryRun rolls a transaction of a dry run back.
var errDryRun = errors.New("dry run")

// Rebuild resolves every record of a family anew from its claims and decisions, some thousands in one transaction. It is
// the answer to a changed rule: identity stays as it is, facts and visibility follow. With dry, nothing of it is kept.
func (s *Store) Rebuild(ctx context.Context, family models.Family, dry bool) (*Rebuilt, error) {
	out := &Rebuilt{Family: family, counted: map[string]bool{}}
	for after := int64(0); ; {
		var keys []int64
		err := s.db.Joint(ctx, func(tx *joint.Tx) error {
			t := s.action(tx, family)
			t.Rebuild = true
			if err := t.Lock(ctx); err != nil {
				return err
			}
			var key int64
			if err := t.Each(ctx, "all_records", engine.Args{"after": after, "n": engine.Chunk}, []any{&key}, func() error {
				keys = append(keys, key)
				return nil
			}); err != nil || len(keys) == 0 {
				return err
			}
			changes, err := t.resolve(ctx, keys...)
			if err != nil {
				return err
			}
			out.add(len(keys), changes)
			if dry {
				return errDryRun
			}
			return nil
		})
		if err != nil && !errors.Is(err, errDryRun) {
			return nil, err
		}
		if len(keys) == 0 {
			return out, nil
		}
		after = keys[len(keys)-1]
	}
}

// add counts the records of one transaction, and lists those that changed up to maxChanges. A record may follow one of
// another transaction, and a dry run then finds it twice.
func (r *Rebuilt) add(records int, changes []Change) {
	r.Records += records
	for _, c := range changes {
		if r.counted[c.ID] {
			continue
		}
		if r.counted[c.ID] = true; len(r.Changes) < maxChanges {
			r.Changes = append(r.Changes, c)
		}
	}
	r.Changed = len(r.counted)
}

// Families are those whose records are resolved from claims.
func Families() []models.Family {
	return []models.Family{models.Roster, models.Courts, models.Corrections}
}
