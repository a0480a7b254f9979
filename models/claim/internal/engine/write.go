package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"rollcall/resolve"
)

var claimColumns = []string{
	"source_id", "key", "stay", "record", "county_id", "how", "how_at", "fingerprint", "first_at", "said_at", "present", "missing_since", "misses", "disputed",
	"person_key", "number", "facts", "since", "evidence", "run_id",
}

// WriteClaims writes claims that may be known. Those of which it is certain that they are new go straight into
// their table.
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
		c.Source.ID, c.Key, c.Stay, OrNull(c.Record), OrNull(c.County), string(c.How), c.HowAt, fingerprint, c.FirstAt, c.SaidAt, c.Present, c.MissingSince, int16(min(c.Misses, 1<<14)), c.Disputed, //nolint:gosec // bounded
		OrNull(c.PersonKey), OrNull(c.Number), facts, since, evidence, OrNull(c.RunID),
	}, nil
}

// Version is a row of a record's history.
type Version struct {
	Record int64
	Source string
	resolve.Version
}

var versionColumns = []string{"family", "record", "at", "source_id", "run_id", "field", "before", "after"}

// WriteVersions writes history. run is the run that brought it, 0: an operator did.
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
