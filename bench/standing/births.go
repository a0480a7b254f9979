package standing

import (
	"math/rand/v2"
	"time"

	"rollcall/bench/labelled"
	"rollcall/match"
	"rollcall/match/watch"
)

// today is when the invented people are booked.
var today = time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)

// ages are how old those are who are booked, in percent.
var ages = [...]struct{ from, to, share int }{{18, 24, 17}, {25, 34, 34}, {35, 44, 27}, {45, 54, 13}, {55, 75, 9}}

// births are the dates of birth of a set. Watched people have theirs wherever they are booked; all others have their own,
// also where the names are alike.
type births struct {
	known watch.Known
	// By place in the lists of the set.
	watchers, bookings []match.Birth
}

// newBirths draws them; none where watchers know nothing.
func newBirths(people *labelled.Standing, set Set) *births {
	b := &births{known: set.Known}
	if set.Known == watch.Nothing {
		return b
	}
	r := rand.New(rand.NewPCG(set.Seed, 16)) // the same people for the same seed
	of := make(map[string]match.Birth, len(people.Watchers))
	for _, w := range people.Watchers {
		of[w.ID] = draw(r)
		b.watchers = append(b.watchers, of[w.ID])
	}
	for _, k := range people.Bookings {
		born := draw(r)
		if watched, ok := of[people.Truth[k.ID]]; ok {
			born = watched
		}
		b.bookings = append(b.bookings, born)
	}
	return b
}

// draw returns the birth date of somebody who is booked.
func draw(r *rand.Rand) match.Birth {
	n, age := r.IntN(100), 0
	for _, a := range ages {
		if n -= a.share; n < 0 {
			age = a.from + r.IntN(a.to-a.from+1)
			break
		}
	}
	return birthOf(today.AddDate(-age, 0, -r.IntN(365)))
}

func birthOf(day time.Time) match.Birth {
	return match.Birth{Year: int16(day.Year()), Month: uint8(day.Month()), Day: uint8(day.Day())} //nolint:gosec // of a calendar day
}

// watched returns what watcher i knows.
func (b *births) watched(i int) match.Birth {
	switch b.known {
	case watch.Date:
		return b.watchers[i]
	case watch.Year:
		return match.Birth{Year: b.watchers[i].Year}
	case watch.Age:
		born := b.watchers[i]
		age := today.Year() - int(born.Year)
		if time.Month(born.Month) > today.Month() {
			age--
		}
		return match.BornByAge(age, birthOf(today))
	}
	return match.Birth{}
}

// booked returns what booking i states.
func (b *births) booked(i int) match.Birth {
	if b.known == watch.Nothing {
		return match.Birth{}
	}
	return b.bookings[i]
}
