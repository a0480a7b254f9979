package labelled

import "fmt"

// Standing is watchers and bookings, with the right answers.
type Standing struct {
	Watchers, Bookings []Entry
	// Truth maps the booking of a watched person to its watcher.
	Truth map[string]string
	// Written maps the booking of a watched person to what was done to the name.
	Written map[string]string
}

// Standing invents watchers, and bookings of which a fifth are of a watched person, written
// with the errors of the labelled pairs. The others are of people who share no surname and
// form of the first name with a watcher: nobody can distinguish two namesakes.
func (g *Generator) Standing(watchers, bookings int) Standing {
	out := Standing{Truth: map[string]string{}, Written: map[string]string{}}
	people := make([]person, watchers)
	g.taken = map[string][]string{}
	defer func() { g.taken = nil }()
	for i := range people {
		p := g.person()
		people[i] = p
		g.taken[p.last[0]] = append(g.taken[p.last[0]], p.first)
		if g.chance(0.4) {
			p.middle = ""
		}
		out.Watchers = append(out.Watchers, Entry{ID: fmt.Sprintf("w%07d", i), Name: g.written(p), Born: ""})
	}
	same := sameClasses()
	rewritten := g.r.Perm(watchers)
	for i := range bookings {
		e := Entry{ID: fmt.Sprintf("b%06d", i)}
		switch {
		case i%10 == 0 && i/10 < watchers/2:
			e.Name = g.bookedAs(same, people, rewritten[i/10], &out, e.ID)
		case i%5 == 0:
			k := rewritten[watchers/2+g.r.IntN(watchers-watchers/2)]
			out.Truth[e.ID], out.Written[e.ID] = out.Watchers[k].ID, "as it is"
			e.Name = g.written(people[k])
		default:
			e.Name = g.written(g.person())
		}
		out.Bookings = append(out.Bookings, e)
	}
	return out
}

// namesake reports whether a first name is a form of one of others.
func (g *Generator) namesake(others []string, first string) bool {
	for _, o := range others {
		if o == first || o[0] == first[0] && len(o) < 2 || g.linked(o, first) {
			return true
		}
	}
	return false
}

// bookedAs returns the booked name of a watched person, with an error. Errors that need a
// name of their own change the watcher's, so a watcher is booked in this way once.
func (g *Generator) bookedAs(same []class, people []person, k int, out *Standing, id string) string {
	out.Truth[id], out.Written[id] = out.Watchers[k].ID, "as it is"
	for range 20 {
		c := same[g.r.IntN(len(same))]
		if name, seen, ok := c.make(g, people[k]); ok {
			out.Watchers[k].Name, out.Written[id] = name, c.name
			return seen
		}
	}
	return g.written(people[k])
}
