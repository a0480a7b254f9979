package match_test

import (
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/internal/labelled"
)

func TestStandingExplore(t *testing.T) {
	g, err := labelled.New("tables", 9, labelled.Whole)
	require.NoError(t, err)
	set := g.Standing(100_000, 10_000)
	x := match.NewIndex()
	var ws []match.Watcher
	for _, w := range set.Watchers {
		ws = append(ws, match.Watcher{ID: w.ID, Name: w.Name, Level: match.Wide})
	}
	x.Add(ws...)
	type hit struct {
		p    float64
		ok   bool
		a, b string
	}
	var hits []hit
	var lost int
	byID := map[string]string{}
	for _, w := range set.Watchers {
		byID[w.ID] = w.Name
	}
	shown := 0
	for _, b := range set.Bookings {
		bk := match.Booking{Name: match.Parse(b.Name)}
		got, _ := x.Match(nil, &bk)
		found := false
		for _, h := range got {
			ok := set.Truth[b.ID] == h.ID
			found = found || ok
			hits = append(hits, hit{h.Probability, ok, byID[h.ID], b.Name})
		}
		if w := set.Truth[b.ID]; w != "" && !found {
			a, c := match.Parse(byID[w]), bk.Name
			p := match.Compare(&a, &c).Probability
			if p > .5 {
				lost++
				if shown < 10 {
					shown++
					t.Logf("LOST %.3f %s | %s", p, byID[w], b.Name)
				}
			}
		}
	}
	t.Log("lost by the index", lost)
	sort.Slice(hits, func(i, j int) bool { return hits[i].p > hits[j].p })
	tp, fp := 0, 0
	next := 0.5
	sh := 0
	for _, h := range hits {
		if h.ok {
			tp++
		} else {
			fp++
			if sh < 25 {
				sh++
				t.Logf("FALSE %.4f %s | %s", h.p, h.a, h.b)
			}
		}
		if r := float64(fp) / 10; r >= next {
			t.Logf("false/1000 %.1f recall %.4f precision %.4f at p %.4f", r, float64(tp)/float64(len(set.Truth)), float64(tp)/float64(tp+fp), h.p)
			next *= 2
		}
	}
	t.Logf("end false/1000 %.1f recall %.4f precision %.4f", float64(fp)/10, float64(tp)/float64(len(set.Truth)), float64(tp)/float64(tp+fp))
}
