package offender

import (
	"context"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// absences notes which claims a complete snapshot lacks, and writes them. Only two facts count: when a claim was last seen,
// and which complete snapshots of its source are later. So snapshots may arrive in any order, and twice. A snapshot that is
// not complete, or whose absences mean nothing, changes nothing. Absence hides an offender, it never releases anybody
// (resolve.Offender).
func absences(ctx context.Context, r *engine.Run) error {
	if !r.Tracks || !r.Proven.Complete {
		return nil
	}
	absent, err := r.Absentees(ctx)
	if err != nil || len(absent) == 0 {
		return err
	}
	// Rows that could not be read, and those that the identity guard refused, may be of people who seem to be gone.
	exempt, err := r.Exemption(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, engine.Chunk) {
		if err := miss(ctx, r, some, exempt); err != nil {
			return err
		}
	}
	return nil
}

// miss notes the absences of some claims, engine.Chunk at most. An exempt claim that had missed a snapshot counts as listed
// again.
func miss(ctx context.Context, r *engine.Run, absent []engine.Absentee, exempt *engine.Exemption) error {
	keys := make([]string, len(absent))
	for i, a := range absent {
		keys[i] = a.Key
	}
	claims, err := engine.ClaimsByKey[resolve.OffenderFacts](ctx, r.Session, r.SourceID, keys)
	if err != nil {
		return err
	}
	var write []*resolve.OffenderClaim
	for _, a := range absent {
		c := claims[a.Key]
		last := c.LastSeen()
		switch {
		case exempt.Keys[c.Key] || exempt.Named(c.Facts.Name):
			if !c.Present || c.Misses == 0 {
				continue
			}
			c.Misses, c.MissingSince = 0, nil
		case exempt.Records[c.Record] || !last.Before(r.At):
			continue
		default:
			// A snapshot that is read again counts once: misses follow from the list of snapshots, not from how often this runs.
			before, first := c.Head, c.Misses == 0
			c.SaidAt = last // unchanged rows were not written
			c.Miss(last)
			// The same snapshot again.
			if before.Misses == c.Misses && before.SaidAt.Equal(last) {
				continue
			}
			if first && c.Misses > 0 && c.Present {
				r.Impact.Marked++
			}
		}
		write = append(write, c)
		r.Touch(c.Record)
	}
	return engine.WriteClaims(ctx, r.Session, nil, write)
}
