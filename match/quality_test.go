//go:build !race

// It is arithmetic without goroutines, which the race detector makes many times slower: the ordinary test command runs it.

package match_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

// classFloors are what each class of pairs must reach at the default threshold: the share found for one person's names,
// the share falsely matched for two people's. They are the floors of the goals, or higher where we are above.
var classFloors = map[string]float64{
	"order": 0.995, "order without comma": 0.95, "middle dropped": 0.995, "middle initial": 0.995, "suffix absent": 0.99, "suffix placed": 0.995,
	"particles": 0.98, "apostrophe": 0.98, "accents": 0.99, "missing blank": 0.98, "truncated": 0.98, "alias": 0.98, "nickname": 0.98,
	"typo in surname": 0.97, "typo in first name": 0.96, "hyphen": 0.98, "two surnames": 0.97, "OCR": 0.97,
	"first name spelled": 0.98, "surname spelled": 0.97, "respelled by sound": 0.95, "field swap": 0.7, "two typos": 0.8, "two typos in surname": 0.85,
	"unlisted nickname": 0.85, "goes by middle": 0.9, "married": 0.9, "first initial": 0.5, "middle and nickname": 0.98, "typo and middle dropped": 0.95,
	"key beside": 0.97, "misread letters": 0.95, "transliterated": 0.95, "nickname and typo": 0.95, "first initial, no middle name": 0.5, "middle name in error": 0.97,
	"two initials": 0.97, "extras in brackets": 0.995, "title": 0.995, "particle dropped": 0.98, "double first name": 0.95, "half of a hyphened surname": 0.98,
	"two surnames exchanged": 0.98, "truncated without comma": 0.95, "lost letter": 0.98,
	"spaced prefix": 0.98, "blank inside first name": 0.99, "letters exchanged": 0.96, "two slips, other order": 0.93, "nickname of another list": 0.82,
	"first name spelled, another list": 0.92, "surname heard alike, another list": 0.97, "spelled, middle name on one side": 0.9,
	"initial and middle name": 0.98, "first name cut off": 0.78, "surname cut off": 0.75, "one of two surnames": 0.97,
	"by the middle name, with a slip": 0.95, "letter doubled or dropped": 0.98,
	"surname first, as in Vietnam and Korea": 0.9,
}

// falseCeilings are the shares of two people's pairs that may be matched.
var falseCeilings = map[string]float64{
	"suffix conflict": 0.001, "near first name": 0.005, "sibling": 0.003, "middle conflict": 0.01, "middle initial conflict": 0.004, // O WINGS may be OWINGS
	"swapped":                       0.02,
	"near surname":                  0.01, // SAMATHA RIVERA FLORES and RIVERS FLORES, which may be a middle name
	"middle name for a surname":     0.08, // BRIAN HOUSTON PIETZ may be BRIAN HOUSTON under a second surname
	"sibling with the same initial": 0.02, // draws rare first names one letter apart, which nobody can tell from a slip
}

const otherCeiling = 0.006

type judged struct {
	labelled.Pair
	p float64
}

func judgePairs(t *testing.T, seed uint64, half labelled.Half, n int) []judged {
	t.Helper()
	g, err := labelled.New("tables", seed, half)
	require.NoError(t, err)
	pairs := g.Pairs(n)
	out := make([]judged, len(pairs))
	for i, p := range pairs {
		a, b := match.Parse(p.Watched), match.Parse(p.Seen)
		out[i] = judged{p, match.Compare(&a, &b).Probability}
	}
	return out
}

// The names of the held-out half and the seed were never used to set a weight.
func TestPairsReachTheFloorsOfTheirClasses(t *testing.T) {
	t.Parallel()
	met, of := map[string]float64{}, map[string]float64{}
	same := map[string]bool{}
	for _, j := range judgePairs(t, 2, labelled.HeldOut, 1000) {
		of[j.Class]++
		same[j.Class] = j.Same
		if j.p >= match.DefaultThreshold {
			met[j.Class]++
		}
	}
	for class, n := range of {
		share := met[class] / n
		t.Logf("%-38s %.4f", class, share)
		if same[class] {
			require.GreaterOrEqual(t, share, classFloors[class], class)
			require.Contains(t, classFloors, class)
			continue
		}
		ceiling, ok := falseCeilings[class]
		if !ok {
			ceiling = otherCeiling
		}
		require.LessOrEqual(t, share, ceiling, class)
	}
}

func TestPairsReachTheFloorsTogether(t *testing.T) {
	t.Parallel()
	c := curve(judgePairs(t, 3, labelled.HeldOut, 1000))
	t.Logf("F1 %.4f at default, best %.4f at %.2f; recall at precision .99 %.4f, at .95 %.4f", c.f1, c.bestF1, c.bestAt, c.recall99, c.recall95)
	require.GreaterOrEqual(t, c.f1, 0.975)
	require.GreaterOrEqual(t, c.f1, c.bestF1-0.005, "the default threshold is near the best one")
	require.GreaterOrEqual(t, c.recall99, 0.95)
	require.GreaterOrEqual(t, c.recall95, 0.975)
}

type figures struct{ f1, bestF1, bestAt, recall99, recall95 float64 }

// curve weighs ten non-pairs for each pair, as in the goals' labelled set.
func curve(out []judged) figures {
	slices.SortFunc(out, func(a, b judged) int { return cmp.Compare(b.p, a.p) })
	pos := 0.0
	for _, j := range out {
		if j.Same {
			pos++
		}
	}
	weight := 10 * pos / (float64(len(out)) - pos)
	var f figures
	tp, fp := 0.0, 0.0
	for _, j := range out {
		if j.Same {
			tp++
		} else {
			fp += weight
		}
		precision, recall := tp/(tp+fp), tp/pos
		f1 := 2 * precision * recall / (precision + recall)
		if f1 > f.bestF1 {
			f.bestF1, f.bestAt = f1, j.p
		}
		if j.p >= match.DefaultThreshold {
			f.f1 = f1
		}
		if precision >= 0.99 {
			f.recall99 = recall
		}
		if precision >= 0.95 {
			f.recall95 = recall
		}
	}
	return f
}

// A probability is what it says: of the pairs scored about p, about p are one person's, in the mixture of ten hard
// non-pairs to a pair.
func TestProbabilitiesAreCalibrated(t *testing.T) {
	t.Parallel()
	out := judgePairs(t, 4, labelled.HeldOut, 1500)
	pos := 0.0
	for _, j := range out {
		if j.Same {
			pos++
		}
	}
	weight := 10 * pos / (float64(len(out)) - pos)
	for _, band := range [][4]float64{{0, 0.1, 0, 0.05}, {0.5, 0.9, 0.5, 1}, {0.9, 0.99, 0.9, 1}, {0.99, 1.01, 0.985, 1}} {
		same, all := 0.0, 0.0
		for _, j := range out {
			switch {
			case j.p < band[0] || j.p >= band[1]:
			case j.Same:
				same, all = same+1, all+1
			default:
				all += weight
			}
		}
		t.Logf("p %.2f to %.2f: %.4f of %.0f are one person's", band[0], band[1], same/all, all)
		require.GreaterOrEqual(t, same/all, band[2])
		require.LessOrEqual(t, same/all, band[3])
	}
}
