package match_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

// parsed is a watcher as it is compared without an index.
type parsed struct {
	match.Watcher
	name match.Name
}

// everyone returns the hits of a booking when all watchers are compared with it one by one.
func everyone(watchers []parsed, b *match.Booking) []match.Hit {
	var hits []match.Hit
	for i := range watchers {
		w := &watchers[i]
		if w.County != "" && w.County != b.County {
			continue
		}
		if p := match.CompareWatched(&w.name, &b.Name, w.Born, b.Born).Probability; p >= w.Level.From(&w.name) {
			hits = append(hits, match.Hit{ID: w.ID, Probability: p})
		}
	}
	slices.SortFunc(hits, func(a, b match.Hit) int {
		if a.Probability != b.Probability {
			return map[bool]int{true: -1, false: 1}[a.Probability > b.Probability]
		}
		return strings.Compare(a.ID, b.ID)
	})
	return hits
}

// watchedSet invents watchers of every level, some with a county or a birth, and bookings, half of them of a watched person.
func watchedSet(t *testing.T, seed uint64, watchers, bookings int) (all []parsed, booked []match.Booking, names []string) {
	t.Helper()
	g, err := labelled.New("tables", seed, labelled.Whole)
	require.NoError(t, err)
	people, r := g.Standing(watchers, bookings), rand.New(rand.NewPCG(seed, 3))
	counties := []string{"", "", "bibb", "cobb"}
	born := func() match.Birth {
		return match.ParseBirth(fmt.Sprintf("%d-%02d-%02d", 1960+r.IntN(30), 1+r.IntN(12), 1+r.IntN(12)))
	}
	levels, births := []match.Level{match.Strict, match.Normal, match.Wide}, map[string]match.Birth{}
	for _, w := range people.Watchers {
		j := parsed{Watcher: match.Watcher{ID: w.ID, Name: w.Name, County: counties[r.IntN(len(counties))], Level: levels[r.IntN(len(levels))]}}
		births[w.ID] = born()
		switch r.IntN(4) {
		case 0:
			j.Born = births[w.ID]
		case 1:
			j.Born = match.Birth{Year: births[w.ID].Year}
		}
		if (j.County != "" || j.Born.Year != 0) && r.IntN(10) == 0 {
			j.Name = j.Name[strings.LastIndexByte(j.Name, ' ')+1:] // a surname alone
		}
		j.name = match.ParseWatched(j.Name, j.County != "")
		all = append(all, j)
	}
	for _, b := range people.Bookings {
		k := match.Booking{Name: match.Parse(b.Name), County: counties[1+r.IntN(3)]}
		if known, ok := births[people.Truth[b.ID]]; ok && r.IntN(2) == 0 {
			k.Born = known
		} else if r.IntN(2) == 0 {
			k.Born = born()
		}
		booked, names = append(booked, k), append(names, b.Name)
	}
	return all, booked, names
}

// The index has the hits of scoring every watcher one by one, with the same scores. It loses none: two slips in a surname and a
// birth date with one part off have keys.
func TestIndexHitsAreThoseOfScoringEveryWatcher(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	due, lost := 0, 0
	for seed := range uint64(2) {
		watchers, bookings, names := watchedSet(t, 71+seed, 1200, 1500)
		x := match.NewIndex()
		for i := range watchers {
			if i%400 == 0 { // several segments
				part := make([]match.Watcher, 0, 400)
				for _, w := range watchers[i:min(i+400, len(watchers))] {
					part = append(part, w.Watcher)
				}
				x.Add(part...)
			}
		}
		var wg sync.WaitGroup
		for k := range 2 {
			wg.Go(func() {
				for i := k; i < len(bookings); i += 2 {
					want := everyone(watchers, &bookings[i])
					got, _ := x.Match(nil, &bookings[i])
					missing := slices.DeleteFunc(slices.Clone(want), func(h match.Hit) bool { return slices.Contains(got, h) })
					mu.Lock()
					due, lost = due+len(want), lost+len(missing)
					for _, h := range missing {
						at := slices.IndexFunc(watchers, func(w parsed) bool { return w.ID == h.ID })
						t.Logf("lost: %s at %s, %v, booked %s, %v: %.4f", watchers[at].Name, watchers[at].Level, watchers[at].Born, names[i], bookings[i].Born, h.Probability)
					}
					mu.Unlock()
					kept := slices.DeleteFunc(want, func(h match.Hit) bool { return slices.Contains(missing, h) })
					if !slices.Equal(kept, got) {
						t.Errorf("booking %d: the index has %v, scoring every watcher %v", i, got, kept)
					}
				}
			})
		}
		wg.Wait()
	}
	t.Logf("%d hits are due, %d lost", due, lost)
	require.Greater(t, due, 150)
	require.LessOrEqual(t, float64(lost)/float64(due), 0.01)
}
