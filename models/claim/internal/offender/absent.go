package offender

import (
	"context"

	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// absences notes which claims a complete snapshot lacks, and writes them. Absence hides an offender, it never releases anybody
// (resolve.Offender).
func absences(ctx context.Context, r *engine.Run) error {
	return r.Absences(ctx, func(ctx context.Context, absent []engine.Absentee, exempt *engine.Exemption) error {
		keys := make([]string, len(absent))
		for i, a := range absent {
			keys[i] = a.Key
		}
		claims, err := engine.ClaimsByKey[resolve.OffenderFacts](ctx, r.Session, r.SourceID, keys)
		if err != nil {
			return err
		}
		var write []*resolve.OffenderClaim
		for _, key := range keys {
			c := claims[key]
			before := c.Head
			// The same snapshot again writes nothing.
			if !r.Miss(&c.Head, c.Facts.Name, exempt) || before.Misses == c.Misses && before.SaidAt.Equal(c.SaidAt) {
				continue
			}
			if before.Misses == 0 && c.Misses > 0 && c.Present {
				r.Impact.Marked++
			}
			write = append(write, c)
			r.Touch(c.Record)
		}
		return engine.WriteClaims(ctx, r.Session, nil, write)
	})
}
