package match_test

import (
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/internal/labelled"
)

type scored struct {
	labelled.Pair
	p float64
}

func scorePairs(t testing.TB, seed uint64, half labelled.Half, n int) []scored {
	t.Helper()
	g, err := labelled.New("tables", seed, half)
	require.NoError(t, err)
	var out []scored
	for _, p := range g.Pairs(n) {
		a, b := match.Parse(p.Watched), match.Parse(p.Seen)
		out = append(out, scored{Pair: p, p: match.Compare(&a, &b).Probability})
	}
	return out
}

func TestExplore(t *testing.T) {
	out := scorePairs(t, 1, labelled.Whole, 1500)
	thr := bestF1(t, out)
	type stat struct {
		n, hit int
		same   bool
		ex     []string
	}
	by := map[string]*stat{}
	for _, s := range out {
		st := by[s.Class]
		if st == nil {
			st = &stat{same: s.Same}
			by[s.Class] = st
		}
		st.n++
		if s.p >= thr {
			st.hit++
		}
		if (s.p >= thr) != s.Same && len(st.ex) < 6 {
			st.ex = append(st.ex, s.Watched+" | "+s.Seen)
		}
	}
	var names []string
	for k := range by {
		names = append(names, k)
	}
	sort.Slice(names, func(i, j int) bool {
		return by[names[i]].same && !by[names[j]].same || by[names[i]].same == by[names[j]].same && names[i] < names[j]
	})
	for _, k := range names {
		t.Logf("%v %-36s %.4f  %q", by[k].same, k, float64(by[k].hit)/float64(by[k].n), by[k].ex)
	}
}

func bestF1(t testing.TB, out []scored) float64 {
	sort.Slice(out, func(i, j int) bool { return out[i].p > out[j].p })
	// weight: classes equal; negatives ten times the positives
	pos, neg := 0.0, 0.0
	for _, s := range out {
		if s.Same {
			pos++
		} else {
			neg++
		}
	}
	w := 10 * pos / neg
	tp, fp := 0.0, 0.0
	best, bp, br, thr := 0.0, 0.0, 0.0, 0.0
	r99, r95, t99 := 0.0, 0.0, 0.0
	for _, s := range out {
		if s.Same {
			tp++
		} else {
			fp += w
		}
		p, r := tp/(tp+fp), tp/pos
		if f := 2 * p * r / (p + r); f > best {
			best, bp, br, thr = f, p, r, s.p
		}
		if p >= .99 {
			r99, t99 = r, s.p
		}
		if p >= .95 {
			r95 = r
		}
	}
	t.Logf("F1 %.4f p %.4f r %.4f at %.3f; r@.99 %.4f (at %.3f) r@.95 %.4f", best, bp, br, thr, r99, t99, r95)
	shown := 0
	for _, s := range out {
		if !s.Same && shown < 70 && s.p < .99999 {
			shown++
			t.Logf("TOP %.4f %s: %s | %s", s.p, s.Class, s.Watched, s.Seen)
		}
	}
	return thr
}
