package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/models"
	"rollcall/resolve"
)

// To decide again on the same grounds changes nothing (rebuild), and a lift of a ground that goes on without interruption holds.
func TestDecidingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		var decisions []resolve.Decision
		var stored resolve.Visibility
		id := int64(0)
		since := map[int64]time.Time{}
		step := func(g resolve.Grounds) resolve.Visibility {
			var because *resolve.Ref
			if !stored.Lifted {
				because = stored.Because
			}
			var s *time.Time
			if !stored.Since.IsZero() {
				at := stored.Since
				s = &at
			}
			before := resolve.Before(stored.Withheld(), because, s, decisions)
			v, spent := resolve.Decide(g, decisions, before, now)
			var left []resolve.Decision
			for _, d := range decisions {
				keep := true
				for _, x := range spent {
					keep = keep && x != d.ID
				}
				if keep {
					left = append(left, d)
				}
			}
			decisions, stored = left, v
			return v
		}
		for range rapid.IntRange(2, 8).Draw(r, "steps") {
			now = now.Add(time.Hour)
			var g resolve.Grounds
			g.Own = rapid.SampledFrom([]models.WithheldReason{models.Published, models.WithheldMaybeJuvenile, models.WithheldMaybeJuvenile, models.WithheldJuvenile}).Draw(r, "own")
			g.Vanished = rapid.IntRange(0, 3).Draw(r, "vanished") == 0
			for c := int64(1); c <= 2; c++ {
				if rapid.Bool().Draw(r, "cause") {
					if _, on := since[c]; !on {
						since[c] = now
					}
					g.Causes = append(g.Causes, resolve.Cause{Of: resolve.Ref{Family: models.Roster, Record: c}, Since: since[c]})
				} else {
					delete(since, c)
				}
			}
			v := step(g)
			now = now.Add(time.Minute)
			again := step(g)
			require.Equal(r, v.Withheld(), again.Withheld(), "the same grounds again")
			if v.Withheld() != "" && v.Withheld() != models.WithheldJuvenile && rapid.Bool().Draw(r, "lift") {
				now = now.Add(time.Minute)
				id++
				decisions = append(decisions, resolve.Decision{ID: id, Kind: resolve.Publish, Reason: v.Reason, Because: v.Because, At: now})
				w := step(g)
				require.False(r, w.Same(v) && w.Withheld() != "", "what was lifted is not asked again at once")
				now = now.Add(time.Minute)
				require.Equal(r, w.Withheld(), step(g).Withheld(), "the same grounds again, after a lift")
			}
		}
	})
}
