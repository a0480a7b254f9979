// Package standing measures what a watcher's level costs and finds: of the bookings of watched people, the share that is
// alerted on, and how many alerts a watcher and year are of people whose names do not fit. Watchers and bookings are
// those of package labelled. `go run ./bench/levels` prints its figures, and the tests of match keep them.
package standing

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"rollcall/bench/labelled"
	"rollcall/match"
	"rollcall/match/watch"
)

// YearlyBookings is how many people a state books in a year: Georgia.
const YearlyBookings = watch.YearlyBookings

// Set says what is measured.
type Set struct {
	// Tables is the directory of the matcher's tables.
	Tables string
	// Half is the half of the surnames, error classes and lists of forms.
	Half               labelled.Half
	Seed               uint64
	Watchers, Bookings int
	// Known is what watchers know of the birth. Unless it is nothing, each booking states a birth date.
	Known watch.Known
}

// Kind is what an alert is about.
type Kind uint8

// The kinds of an alert.
const (
	// Wrong is an alert about somebody who is not watched and whose name does not fit.
	Wrong Kind = iota
	// Namesake is one about somebody else whose name fits.
	Namesake
	// Right is one about the watched person.
	Right
)

// Hit is a watcher and a booking that were compared.
type Hit struct {
	Watcher, Booking string
	// Names as written, for looking at what went wrong.
	Watched, Booked string
	Probability     float64
	Kind            Kind
	// Class is what was done to the name of a watched person who is booked, and Origin where the watched name is from.
	Class, Origin string
	watched       *match.Name
}

// Alerts reports whether a level alerts on it.
func (h *Hit) Alerts(level match.Level) bool { return h.Probability >= level.From(h.watched) }

// Result is all that was compared, likeliest first, and what there was to find.
type Result struct {
	Set
	Hits []Hit
	// Missed are the bookings of watched people that were not even compared.
	Missed []Hit
	// Watched counts the bookings of watched people: all, by class and by origin.
	Watched          int
	Classes, Origins map[string]int
	// Watching counts the watchers by origin.
	Watching map[string]int
	// Scored counts the comparisons in full.
	Scored int
}

// Measure matches the bookings against the watchers on all cores.
func Measure(set Set) (*Result, error) {
	g, err := labelled.New(set.Tables, set.Seed, set.Half)
	if err != nil {
		return nil, err
	}
	people := g.Standing(set.Watchers, set.Bookings)
	index := match.NewIndex()
	all := make([]match.Watcher, len(people.Watchers))
	names := make(map[string]string, len(all))
	parsed := make(map[string]*match.Name, len(all))
	births := newBirths(&people, set)
	for i, w := range people.Watchers {
		all[i], names[w.ID] = match.Watcher{ID: w.ID, Name: w.Name, Level: match.Any, Born: births.watched(i)}, w.Name
		name := match.Parse(w.Name)
		parsed[w.ID] = &name
	}
	index.Add(all...)
	found := make([][]match.Hit, len(people.Bookings))
	scored := make([]int, len(people.Bookings))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			for i := k; i < len(people.Bookings); i += workers {
				found[i], scored[i] = index.Match(nil, &match.Booking{Name: match.Parse(people.Bookings[i].Name), Born: births.booked(i)})
			}
		})
	}
	wg.Wait()
	r := &Result{Set: set, Classes: map[string]int{}, Origins: map[string]int{}, Watching: map[string]int{}, Watched: len(people.Truth)}
	for _, w := range people.Watchers {
		r.Watching[people.From(w.ID)]++
	}
	for i, b := range people.Bookings {
		r.Scored += scored[i]
		truth := people.Truth[b.ID]
		hit := Hit{Booking: b.ID, Booked: b.Name, Class: people.Written[b.ID]}
		if truth != "" {
			r.Classes[hit.Class]++
			r.Origins[people.From(truth)]++
		}
		met := false
		for _, h := range found[i] {
			hit.Watcher, hit.Watched, hit.watched, hit.Probability, hit.Kind = h.ID, names[h.ID], parsed[h.ID], h.Probability, Wrong
			hit.Origin = people.From(h.ID)
			switch {
			case h.ID == truth:
				hit.Kind, met = Right, true
			case truth != "":
				continue // the watched are no sample of the people who are booked: each origin is as frequent
			case people.Fits(g, h.ID, b.ID):
				hit.Kind = Namesake
			}
			r.Hits = append(r.Hits, hit)
		}
		if truth != "" && !met {
			hit.Watcher, hit.Watched, hit.watched, hit.Probability, hit.Kind = truth, names[truth], parsed[truth], 0, Right
			hit.Origin = people.From(truth)
			r.Missed = append(r.Missed, hit)
		}
	}
	slices.SortStableFunc(r.Hits, func(a, b Hit) int { return cmp.Compare(b.Probability, a.Probability) })
	return r, nil
}

// Figures are what a threshold finds and costs.
type Figures struct {
	// Recall is the share of the watched people's bookings that were alerted on.
	Recall float64
	// WrongYearly is how many alerts a watcher and year are about people whose names do not fit.
	WrongYearly float64
	// Namesakes counts the alerts about namesakes, of all watchers and bookings of the set, and NamesakesYearly those of a
	// watcher and year.
	Namesakes       int
	NamesakesYearly float64
}

// At returns the figures of a threshold that is the same for every name.
func (r *Result) At(threshold float64) Figures {
	return r.figures(func(h *Hit) bool { return h.Probability >= threshold })
}

// Of returns the figures of a level.
func (r *Result) Of(level match.Level) Figures {
	return r.figures(func(h *Hit) bool { return h.Alerts(level) })
}

func (r *Result) figures(alerts func(*Hit) bool) Figures {
	var counts [3]int
	for i := range r.Hits {
		if alerts(&r.Hits[i]) {
			counts[r.Hits[i].Kind]++
		}
	}
	return Figures{Recall: float64(counts[Right]) / float64(r.Watched), WrongYearly: r.yearly(counts[Wrong]), Namesakes: counts[Namesake], NamesakesYearly: r.yearly(counts[Namesake])}
}

// yearly converts a number of wrong alerts of the set to alerts a watcher and year.
func (r *Result) yearly(wrong int) float64 {
	return float64(wrong) / float64(r.Watchers) / float64(r.Bookings-r.Watched) * YearlyBookings
}

// Threshold returns the least probability that keeps wrong alerts a watcher and year at or below a number.
func (r *Result) Threshold(wrongYearly float64) float64 {
	wrong, last := 0, 1.0
	for i := range r.Hits {
		if r.Hits[i].Kind == Wrong {
			if wrong++; r.yearly(wrong) > wrongYearly {
				break
			}
		}
		last = r.Hits[i].Probability
	}
	return last
}

// Derive returns the thresholds that keep wrong alerts a watcher and year at or below numbers in the fitting half: the middle ones
// of an odd number of draws. The half that is held out has no say.
func Derive(set Set, draws int, wrongYearly ...float64) ([]float64, error) {
	set.Half = labelled.Training
	drawn := make([][]float64, len(wrongYearly))
	for range draws {
		r, err := Measure(set)
		if err != nil {
			return nil, err
		}
		for i, w := range wrongYearly {
			drawn[i] = append(drawn[i], r.Threshold(w))
		}
		set.Seed++
	}
	out := make([]float64, len(wrongYearly))
	for i := range drawn {
		slices.Sort(drawn[i])
		out[i] = drawn[i][draws/2]
	}
	return out, nil
}

// RecallBy returns the recall of a level by class of error or by origin.
func (r *Result) RecallBy(level match.Level, of map[string]int, key func(*Hit) string) map[string]float64 {
	out := make(map[string]float64, len(of))
	for name := range of {
		out[name] = 0
	}
	for i := range r.Hits {
		if h := &r.Hits[i]; h.Kind == Right && h.Alerts(level) {
			out[key(h)] += 1 / float64(of[key(h)])
		}
	}
	return out
}
