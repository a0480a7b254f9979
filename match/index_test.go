package match_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/bench/labelled"
	"rollcall/match"
)

func ids(hits []match.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	slices.Sort(out)
	return out
}

func ask(x *match.Index, name, county string) []string {
	hits, _ := x.Match(nil, &match.Booking{Name: match.Parse(name), County: county})
	return ids(hits)
}

func TestIndexMatchesByCountyAndLevel(t *testing.T) {
	t.Parallel()
	x := match.NewIndex()
	x.Add(
		match.Watcher{ID: "anywhere", Name: "Quentin Abernethy"},
		match.Watcher{ID: "slug", Name: "Quentin Abernethy", County: "ben-hill"},
		match.Watcher{ID: "display", Name: "Quentin Abernethy", County: "Ben Hill"},
		match.Watcher{ID: "elsewhere", Name: "Quentin Abernethy", County: "cobb"},
		match.Watcher{ID: "wide", Name: "Laura Hall", Level: match.Wide},
		match.Watcher{ID: "strict", Name: "Laura Hall", Level: match.Strict},
	)
	require.Equal(t, []string{"wide"}, ask(x, "HALL, L", "cobb"))
	require.Equal(t, []string{"anywhere", "display", "slug"}, ask(x, "ABERNETHY, QUENTIN", "Ben Hill"))
	require.Equal(t, []string{"anywhere", "elsewhere"}, ask(x, "ABERNETHY, QUENTIN", "cobb"))
	require.Equal(t, []string{"anywhere"}, ask(x, "ABERNETHY, QUENTIN", "county nobody watches"))
	require.Empty(t, ask(x, "ZEBLEY, QUENTIN", "cobb"))
	require.Empty(t, ask(x, "", ""))
}

func TestIndexReplacesAndRemovesWatchers(t *testing.T) {
	t.Parallel()
	x := match.NewIndex()
	x.Add(match.Watcher{ID: "w", Name: "Quentin Abernethy"})
	x.Add(match.Watcher{ID: "w", Name: "Zola Winterbourne"})
	require.Equal(t, 1, x.Len())
	require.Empty(t, ask(x, "ABERNETHY, QUENTIN", ""))
	require.Equal(t, []string{"w"}, ask(x, "WINTERBOURNE, ZOLA", ""))
	require.True(t, x.Remove("w"))
	require.False(t, x.Remove("w"))
	require.Empty(t, ask(x, "WINTERBOURNE, ZOLA", ""))
	x.Compact()
	require.Zero(t, x.Len())
}

func TestIndexHoldsAConflictingBirthAgainstAHit(t *testing.T) {
	t.Parallel()
	x := match.NewIndex()
	x.Add(match.Watcher{ID: "w", Name: "Quentin Abernethy", Born: match.ParseBirth("1980-03-04")})
	for born, hit := range map[string]bool{"1980-03-04": true, "1980": true, "": true, "1961-07-30": false, "1961": false} {
		hits, _ := x.Match(nil, &match.Booking{Name: match.Parse("ABERNETHY, QUENTIN"), Born: match.ParseBirth(born)})
		require.Equal(t, hit, len(hits) == 1, born)
	}
}

// However watchers come and go, the index holds what a map would.
func TestIndexIsWhatAMapWouldBe(t *testing.T) {
	t.Parallel()
	names := []string{"Quentin Abernethy", "Zola Winterbourne", "Ezekiel Marchbanks", "Ottoline Fairweather", "Peregrine Lockhart"}
	rapid.Check(t, func(t *rapid.T) {
		x, model := match.NewIndex(), map[string]string{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			id := fmt.Sprint("w", rapid.IntRange(0, 6).Draw(t, "id"))
			switch rapid.IntRange(0, 5).Draw(t, "op") {
			case 0:
				_, had := model[id]
				require.Equal(t, had, x.Remove(id))
				delete(model, id)
			case 1:
				x.Compact()
			default:
				name := rapid.SampledFrom(names).Draw(t, "name")
				x.Add(match.Watcher{ID: id, Name: name})
				model[id] = name
			}
		}
		require.Equal(t, len(model), x.Len())
		for _, name := range names {
			want := []string{}
			for id, n := range model {
				if n == name {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			require.Equal(t, want, ask(x, name, ""))
		}
	})
}

// The index loses next to nothing of what comparing with every watcher finds.
func TestIndexFindsWhatComparingAllFinds(t *testing.T) {
	t.Parallel()
	g, err := labelled.New("tables", 21, labelled.Whole)
	require.NoError(t, err)
	found, due := 0, 0
	x := match.NewIndex()
	var pairs []labelled.Pair
	for i, p := range g.Pairs(150) {
		a, b := match.Parse(p.Watched), match.Parse(p.Seen)
		if match.CompareWatched(&a, &b, match.Birth{}, match.Birth{}).Probability >= match.Normal.Threshold() {
			pairs = append(pairs, p)
			x.Add(match.Watcher{ID: fmt.Sprint(i, p.Seen), Name: p.Watched})
			pairs[len(pairs)-1].Class = fmt.Sprint(i, p.Seen)
		}
	}
	for _, p := range pairs {
		due++
		if slices.Contains(ask(x, p.Seen, ""), p.Class) {
			found++
		} else {
			t.Logf("lost: %s | %s", p.Watched, p.Seen)
		}
	}
	require.Greater(t, due, 3000)
	require.GreaterOrEqual(t, float64(found)/float64(due), 0.985)
}

func TestIndexServesReadersWhileWatchersChange(t *testing.T) {
	t.Parallel()
	x := match.NewIndex()
	x.Add(match.Watcher{ID: "always", Name: "Quentin Abernethy"})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 300 {
				hits, _ := x.Match(nil, &match.Booking{Name: match.Parse("ABERNETHY, QUENTIN")})
				if !slices.Contains(ids(hits), "always") {
					t.Error("the watcher that never changed was not found")
					return
				}
			}
		})
	}
	for i := range 300 {
		x.Add(match.Watcher{ID: fmt.Sprint("w", i), Name: "Quentin Abernethy", County: "cobb"})
		if i%3 == 0 {
			x.Remove(fmt.Sprint("w", i))
		}
		if i%100 == 99 {
			x.Compact()
		}
	}
	wg.Wait()
	require.Equal(t, 201, x.Len())
}
