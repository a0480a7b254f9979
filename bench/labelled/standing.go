package labelled

import "fmt"

// Standing is watchers and bookings, with the right answers.
type Standing struct {
	Watchers, Bookings []Entry
	// Truth maps the booking of a watched person to its watcher.
	Truth map[string]string
	// Written maps the booking of a watched person to what was done to the name, and Origin to where the name is from.
	Written, Origin map[string]string

	watched, booked map[string][]person
}

// From returns where the names of a watched person are from; empty for the country as a whole.
func (s *Standing) From(watcher string) string { return s.watched[watcher][0].origin }

// heldOut are the classes of errors that nothing was fitted to. Each kind of error has classes in both halves.
var heldOut = map[string]bool{
	"order without comma": true, "middle initial": true, "suffix placed": true, "spaced prefix": true, "accents": true, "blank inside first name": true,
	"truncated without comma": true, "extras in brackets": true, "nickname of another list": true, "letters exchanged": true, "key beside": true,
	"misread letters": true, "half of a hyphened surname": true, "one of two surnames": true, "married": true, "first name spelled, another list": true,
	"surname heard alike, another list": true, "transliterated": true, "two slips, other order": true, "nickname and typo": true, "goes by middle": true,
	"first initial, no middle name": true, "typo and middle dropped": true, "particle dropped": true, "middle name in error": true,
	"first name cut off": true, "spelled, middle name on one side": true, "by the middle name, with a slip": true,
	"surname first, as in Vietnam and Korea": true,
}

// has reports whether a class of errors belongs to the half.
func (h Half) hasClass(name string) bool { return h == Whole || heldOut[name] == (h == HeldOut) }

// classes returns the ways of writing one person twice of the generator's half.
func (g *Generator) classes() []class {
	var out []class
	for _, c := range sameClasses() {
		if g.half.hasClass(c.name) {
			out = append(out, c)
		}
	}
	return out
}

// Shares of the bookings of a set.
const (
	watchedShare = 0.5  // of watched people, each written with an error
	slipShare    = 0.15 // of the others, whose names are written with an error
	originShare  = 0.3  // of the watched people who are booked, with names of one of the origins
)

// Standing invents watchers, and bookings of which a half are of a watched person. Each of these is written in one of the
// classes of the generator's half, all classes equally often. The others are of people who are drawn as watchers are, so
// some of them are namesakes: see [Standing.Fits].
func (g *Generator) Standing(watchers, bookings int) Standing {
	out := Standing{
		Truth: map[string]string{}, Written: map[string]string{}, Origin: map[string]string{},
		watched: map[string][]person{}, booked: map[string][]person{},
	}
	people := make([]person, watchers)
	for i := range people {
		p := g.person()
		people[i] = p
		if g.chance(0.4) {
			p.middle = ""
		}
		e := Entry{ID: fmt.Sprintf("w%07d", i), Name: g.written(p)}
		out.Watchers, out.watched[e.ID] = append(out.Watchers, e), []person{p}
	}
	same := g.classes()
	order := g.booked(people)
	for i := range bookings {
		e := Entry{ID: fmt.Sprintf("b%06d", i)}
		if g.chance(watchedShare) && len(order) > 0 {
			e.Name = g.bookedAs(same, people, order[0], &out, e.ID)
			order = order[1:]
		} else {
			p := g.person()
			e.Name, out.booked[e.ID] = g.written(p), []person{p}
			if c := same[g.r.IntN(len(same))]; g.chance(slipShare) {
				g.wrote = g.wrote[:0]
				if _, seen, ok := c.make(g, p); ok {
					e.Name, out.booked[e.ID] = seen, versions(p, g.wrote)
				}
			}
		}
		out.Bookings = append(out.Bookings, e)
	}
	return out
}

// booked returns watchers in the order in which their people are booked: one in originShare has names of an origin, all
// origins equally often, so that the recall of each can be told.
func (g *Generator) booked(people []person) []int {
	by := map[string][]int{}
	for _, k := range g.r.Perm(len(people)) {
		by[people[k].origin] = append(by[people[k].origin], k)
	}
	var order []int
	for {
		from := ""
		if g.chance(originShare) {
			from = origins[g.r.IntN(len(origins))]
		}
		if len(by[from]) == 0 {
			return order
		}
		order, by[from] = append(order, by[from][0]), by[from][1:]
	}
}

// bookedAs returns the booked name of a watched person, with an error. Errors that need a name of their own change the
// watcher's, so a watcher is booked in this way once.
func (g *Generator) bookedAs(same []class, people []person, k int, out *Standing, id string) string {
	w := &out.Watchers[k]
	out.Truth[id], out.Written[id], out.Origin[id] = w.ID, "as it is", people[k].origin
	for range 200 {
		c := same[g.r.IntN(len(same))]
		g.wrote = g.wrote[:0]
		if name, seen, ok := c.make(g, people[k]); ok {
			w.Name, out.Written[id] = name, c.name
			all := versions(people[k], g.wrote)
			out.watched[w.ID], out.booked[id] = all, all
			return seen
		}
	}
	out.booked[id] = []person{people[k]}
	return g.written(people[k])
}

// versions returns a person as born and as written: with slips, another surname, or less than all of the name.
func versions(p person, wrote []person) []person {
	all := append([]person{p}, wrote...)
	for _, w := range wrote {
		q := p
		q.middle, q.suffix = w.middle, w.suffix
		all = append(all, q)
	}
	return all
}
