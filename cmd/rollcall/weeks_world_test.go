package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rollcall/models"
)

// The world of the story: what is true in twenty counties, minute by minute. Nothing here knows what rollcall does.

// weeksBegin is six in the morning of the first day, when the first files come. The fourteen days have the night in which the
// clocks change.
var weeksBegin = time.Date(2026, 3, 2, 6, 0, 0, 0, models.Georgia)

// weeksDays is how many days the story has.
const weeksDays = 14

// morning is the instant of the files of a day, from 1.
func morning(day int) time.Time { return weeksBegin.AddDate(0, 0, day-1) }

// jail is one county.
type jail struct {
	slug string
	name string // as its files write it
	file string // as the names of its files begin; counties with the same text share a file
	size int    // in jail on the first day
	from int    // the day of its first file

	outs string // as the names of its reports of releases begin; empty: it has none, and its files state them

	prose   bool // its bonds are what clerks wrote
	years   bool // it states the year of birth alone
	inmates []*inmate
}

// inmate is one stay of a person in a jail. No person has two.
type inmate struct {
	number      string
	last, first string
	typo        string // the first name as its files write it until it is corrected; empty: as it is
	born        time.Time
	booked      time.Time
	released    time.Time // zero: after the story
	facts       []facts   // from when they hold, the oldest first
}

// facts are those of an inmate that change.
type facts struct {
	from    time.Time
	charges []string
	bonds   []int // dollars, of each charge; nil: no bond
}

// at are the facts of an instant.
func (i *inmate) at(t time.Time) facts {
	f := i.facts[0]
	for _, next := range i.facts[1:] {
		if !next.from.After(t) {
			f = next
		}
	}
	return f
}

// juvenile reports whether the inmate is too young to be shown.
func (i *inmate) juvenile() bool { return i.born.AddDate(17, 0, 0).After(i.booked) }

// whenCorrected is the instant from which the files of a jail spell all names right.
var whenCorrected = morning(12)

// renumbers is the county that numbers its bookings anew, and whenRenumbered the instant from which it does.
const renumbers = "houston"

var whenRenumbered = morning(5)

// name is how files write the name at an instant.
func (i *inmate) name(t time.Time) string { return i.last + ", " + i.firstAt(t) }

// firstAt is how files write the first name at an instant.
func (i *inmate) firstAt(t time.Time) string {
	if i.typo != "" && t.Before(whenCorrected) {
		return i.typo
	}
	return i.first
}

// jails are the counties of the story. Those whose files go wrong for everybody have so many people that the guards ask.
func jails() []*jail {
	return []*jail{
		{slug: "appling", name: "Appling", file: "appling", size: 14},
		{slug: "clarke", name: "athens-clarke", file: "athens-clarke", size: 32, prose: true},
		{slug: "richmond", name: "augusta-richmond", file: "augusta-richmond", size: 36},
		{slug: "bibb", name: "macon-bibb", file: "macon-bibb", size: 30},
		{slug: "muscogee", name: "columbus-muscogee", file: "columbus-muscogee_intake", outs: "columbus-muscogee_release", size: 34},
		{slug: "ben-hill", name: "ben_hill", file: "ben_hill", size: 9},
		{slug: "dekalb", name: "De Kalb", file: "De Kalb", size: 38},
		{slug: "fulton", name: "FULTON COUNTY", file: "fulton", size: 40},
		{slug: "cobb", name: "Cobb", file: "cobb", size: 34},
		{slug: "gwinnett", name: "Gwinnett County, GA", file: "gwinnett", size: 28},
		{slug: "chatham", name: "chatham", file: "chatham", size: 32},
		{slug: "hall", name: "Hall", file: "hall", size: 18, years: true},
		{slug: "houston", name: "Houston", file: "houston", size: 30},
		{slug: "forsyth", name: "Forsyth", file: "forsyth", size: 32},
		{slug: "henry", name: "Henry Co.", file: "henry", size: 26},
		{slug: "lowndes", name: "Lowndes", file: "lowndes", size: 34},
		{slug: "glynn", name: "Glynn", file: "glynn", size: 22},
		{slug: "ware", name: "Ware", file: "southga", size: 12},
		{slug: "tift", name: "Tift", file: "southga", size: 16},
		{slug: "bulloch", name: "Bulloch", file: "bulloch", size: 24, from: 8},
	}
}

// Names are invented; the two lists make every person one name of their own.
var (
	weeksLast = []string{
		"QUILLFEATHER", "MOONSAIL", "THISTLEDOWN", "STORMCROW", "FENWICKE", "BRACKENRIDGE", "EMBERLYN", "VANTONGEREN", "WINTERBOURNE", "LARKSPURR",
		"ASHGROVER", "DUNMARROW", "PELLINGHAM", "ROOKWELL", "SALTMARSHE", "TAMBERLANE", "UNDERHOLT", "WYCHERLEE", "YARROWBY", "ZELLIGOR",
		"O'BRANNIGAN", "DE LA FUENTE", "GLASSFORD", "HOLLOWAYNE", "IVORSLEIGH", "JUNIPERO", "KESTRELMAN", "LANTERNWOOD", "NETTLESHIP", "OXENHAM",
		"PRIMVALE", "RAVENSCAR", "SILVERTHORNE", "TURNPIKER", "VESPERMAN", "WHISTLECROFT", "CINDERFORD", "BELLWETHER", "GOOSEBERRY", "MARCHBANKER",
	}
	weeksFirst = []string{
		"WREN", "ORLA", "PIP", "TOLLIVER", "MARLOWE", "SAMANTHA", "JEREMIAH", "CASSANDRA", "DELLWYN", "ISADORA", "ALASTAIR", "BEATRIX", "CORNELIUS", "DOROTHEA",
		"EVANDER", "FLORENTINE", "GIDEON", "HENRIETTA", "IGNATIUS", "JOSEPHINE", "KERMIT", "LUCINDA", "MAXIMILIAN", "NEHEMIAH", "OPHELIA", "PHINEAS",
		"ROSALIND", "SEBASTIAN", "THEODORA", "URSULA",
	}
	weeksCharges = []string{"BATTERY", "THEFT BY TAKING", "DUI", "FORGERY", "CRIMINAL TRESPASS", "SHOPLIFTING", "PROBATION VIOLATION", "SIMPLE ASSAULT", "POSSESSION", "LOITERING"}
)

// newWorld makes the people of two weeks. The same seed makes the same people.
func newWorld() []*jail {
	all := jails()
	rnd := rand.New(rand.NewPCG(15, 2026))
	names := rnd.Perm(len(weeksLast) * len(weeksFirst))
	nth := 0
	for at, j := range all {
		j.from = max(j.from, 1)
		begin, end := morning(1), morning(weeksDays).AddDate(0, 0, 1)
		for range j.size {
			j.book(rnd, names, &nth, begin.Add(-time.Duration(3*60+rnd.IntN(40*24*60))*time.Minute), begin)
		}
		// About a tenth of a jail comes in a day.
		every := 24 * 60 * 10 / j.size
		for t := begin; t.Before(end); {
			t = t.Add(time.Duration(every/2+rnd.IntN(every)) * time.Minute)
			j.book(rnd, names, &nth, t, t)
		}
		if at%9 == 4 { // two of the counties have a juvenile
			young := j.inmates[3]
			young.born = young.booked.AddDate(-16, 2, 0)
		}
		j.peculiar()
	}
	return all
}

// peculiar changes a few people of counties whose names matter.
func (j *jail) peculiar() {
	for n, i := range j.inmates {
		switch {
		case j.slug == "tift" && n%5 == 0:
			i.last = "PEÑAROSA " + i.last
		case j.slug == "chatham" && i.released.IsZero() && len(i.first) >= 7 && n < 20:
			i.typo = i.first[:len(i.first)-1]
		}
	}
}

// book adds a person who was booked at an instant and who is in jail at another one at least.
func (j *jail) book(rnd *rand.Rand, names []int, nth *int, booked, until time.Time) {
	n := names[*nth%len(names)]
	*nth++
	i := &inmate{
		number: fmt.Sprintf("%c%05d", 'A'+len(j.slug)%26, 20000+len(j.inmates)*7), booked: booked.Truncate(time.Minute),
		last: weeksLast[n%len(weeksLast)], first: weeksFirst[n/len(weeksLast)],
		born: time.Date(1955+rnd.IntN(48), time.Month(1+rnd.IntN(12)), 1+rnd.IntN(28), 0, 0, 0, 0, time.UTC),
	}
	hours := 4 + rnd.IntN(30)
	if rnd.IntN(3) > 0 {
		hours = 48 + rnd.IntN(20*24)
	}
	if out := until.Add(time.Duration(hours*60+rnd.IntN(60)) * time.Minute).Truncate(time.Minute); out.Before(morning(weeksDays)) {
		i.released = out
	}
	f := facts{from: i.booked}
	for range 1 + rnd.IntN(3) {
		f.charges = append(f.charges, weeksCharges[(rnd.IntN(4)+len(f.charges)*3)%len(weeksCharges)])
	}
	f.bonds = dollars(rnd, len(f.charges), rnd.IntN(5) > 0)
	i.facts = append(i.facts, f)
	if rnd.IntN(3) == 0 { // a hearing
		from := until.Add(time.Duration(6*60+rnd.IntN(9*24*60)) * time.Minute).Truncate(time.Minute)
		i.facts = append(i.facts, facts{from: from, charges: slices.Clone(f.charges), bonds: dollars(rnd, len(f.charges), rnd.IntN(6) > 0)})
	}
	j.inmates = append(j.inmates, i)
}

// dollars are the bonds of so many charges; nil where none is granted.
func dollars(rnd *rand.Rand, charges int, granted bool) []int {
	if !granted {
		return nil
	}
	bonds := make([]int, charges)
	for n := range bonds {
		bonds[n] = 250 * (1 + rnd.IntN(40))
	}
	return bonds
}

// listedFor is how long files go on listing people who were released.
const listedFor = 4 * 24 * time.Hour

// listed are those whom a file of an instant lists, in its order.
func (j *jail) listed(at time.Time) (list []*inmate) {
	for _, i := range j.inmates {
		if !i.booked.After(at) && (i.released.IsZero() || i.released.After(at.Add(-listedFor))) {
			list = append(list, i)
		}
	}
	return list
}

// out is the release as a file of an instant states it; zero: in jail.
func (i *inmate) out(at time.Time) time.Time {
	if i.released.After(at) {
		return time.Time{}
	}
	return i.released
}
