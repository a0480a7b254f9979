package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"rollcall/resolve"
)

// claimColumns are the columns of every table of claims.
var claimColumns = []string{
	"source_id", "key", "stay", "record", "county_id", "how", "how_at", "fingerprint", "first_at", "said_at", "present", "missing_since", "misses", "disputed",
	"person_key", "number", "facts", "since", "evidence", "run_id",
}

// WriteClaims writes claims into the family's table. fresh are certain to be new and go straight into it; known may be there
// already and replace what is there. A fresh claim that is there after all is an error of its primary key.
func WriteClaims[F any](ctx context.Context, s *Session, fresh, known []*resolve.Claim[F]) error {
	table := s.of.Claims
	if len(fresh) > 0 {
		if err := s.Copy(ctx, table, claimColumns, claimValues(fresh)); err != nil {
			return err
		}
	}
	if len(known) == 0 {
		return nil
	}
	for _, name := range []string{"create_written", "clear_written"} {
		if err := s.Do(ctx, name, nil); err != nil {
			return err
		}
	}
	if err := s.Copy(ctx, "written_"+table, claimColumns, claimValues(known)); err != nil {
		return err
	}
	return s.Do(ctx, "write_claims", nil)
}

// claimValues encodes claims one by one, while those before are sent.
func claimValues[F any](claims []*resolve.Claim[F]) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, c := range claims {
			row, err := claimRow(c)
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// claimRow returns the values of claimColumns. Since and evidence that say nothing are null.
func claimRow[F any](c *resolve.Claim[F]) ([]any, error) {
	facts, err := json.Marshal(&c.Facts)
	if err != nil {
		return nil, fmt.Errorf("encode claim %q of %s: %w", c.Key, c.Source.ID, err)
	}
	var since, evidence []byte
	if len(c.Since) > 0 {
		if since, err = json.Marshal(c.Since); err != nil {
			return nil, fmt.Errorf("encode claim %q of %s: %w", c.Key, c.Source.ID, err)
		}
	}
	if c.Age != (resolve.Evidence{}) {
		if evidence, err = json.Marshal(&c.Age); err != nil {
			return nil, fmt.Errorf("encode claim %q of %s: %w", c.Key, c.Source.ID, err)
		}
	}
	fingerprint := c.Fingerprint
	if fingerprint == nil {
		fingerprint = []byte{}
	}
	return []any{
		c.Source.ID, c.Key, c.Stay, OrNull(c.Record), OrNull(c.County), string(c.How), c.HowAt, fingerprint, c.FirstAt, c.SaidAt, c.Present, c.MissingSince,
		int16(min(c.Misses, 1<<14)), c.Disputed, //nolint:gosec // bounded
		OrNull(c.PersonKey), OrNull(c.Number), facts, since, evidence, OrNull(c.RunID),
	}, nil
}

// Version is a row of a record's history: one published fact that became another.
type Version struct {
	Record int64 // whose history it belongs to
	// Source is the source that the change is ascribed to.
	Source string
	resolve.Version
}

// versionColumns are the columns of record_changes that a run fills.
var versionColumns = []string{"family", "record", "at", "source_id", "run_id", "field", "before", "after"}

// WriteVersions appends to the history of records, at the instant of the session. run is the run that brought the changes; 0:
// an operator did. It sorts versions by record and keeps the order of each record's own.
func (s *Session) WriteVersions(ctx context.Context, run int64, versions []Version) error {
	if len(versions) == 0 {
		return nil
	}
	slices.SortStableFunc(versions, func(a, b Version) int { return int(a.Record - b.Record) })
	return s.Copy(ctx, "record_changes", versionColumns, func(yield func([]any, error) bool) {
		for _, v := range versions {
			if !yield([]any{string(s.Family), v.Record, s.Now, v.Source, OrNull(run), v.Field, v.Before, v.After}, nil) {
				return
			}
		}
	})
}
