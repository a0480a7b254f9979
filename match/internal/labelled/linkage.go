package labelled

import "fmt"

// Entry is a booking or a corrections record of the linkage set.
type Entry struct{ ID, Name, Born, County string }

// Linkage is bookings, records and the true record of each booking that has
// one.
type Linkage struct {
	Bookings, Records []Entry
	Truth             map[string]string
}

// Linkage invents records records, and bookings of which a third are of people
// with a record: their names and births are written with the errors of the
// labelled pairs. Relatives and namesakes without a record are among the rest.
func (g *Generator) Linkage(bookings, records int) Linkage {
	out := Linkage{Truth: map[string]string{}}
	people := make([]person, records)
	births := make([][3]int, records)
	for i := range people {
		people[i], births[i] = g.person(), g.birth()
		out.Records = append(out.Records, Entry{ID: fmt.Sprintf("r%06d", i), Name: g.written(people[i]), Born: iso(births[i])})
	}
	var same []class
	for _, c := range sameClasses() {
		switch c.name {
		case "particles", "apostrophe", "hyphen", "two surnames":
		default:
			same = append(same, c)
		}
	}
	for i := range bookings {
		e := Entry{ID: fmt.Sprintf("b%06d", i), County: "fulton"}
		k := g.r.IntN(records)
		p, born := people[k], births[k]
		switch {
		case i%3 == 0:
			e.Name = g.written(p)
			if g.chance(0.5) {
				if _, seen, ok := same[g.r.IntN(len(same))].make(g, p); ok {
					e.Name = seen
				}
			}
			e.Born = g.seenBirth(born)
			out.Truth[e.ID] = out.Records[k].ID
		case i%30 == 1: // a twin
			p.first, p.middle = g.pick(g.names(p.woman)), ""
			if p.first == people[k].first {
				p.first = "zebulon"
			}
			e.Name, e.Born = g.written(p), iso(born)
		case i%30 == 2: // a namesake of another age
			p.middle, p.suffix = "", ""
			e.Name, e.Born = g.written(p), iso(g.birth())
		default:
			e.Name, e.Born = g.written(g.person()), iso(g.birth())
		}
		out.Bookings = append(out.Bookings, e)
	}
	return out
}

func (g *Generator) birth() [3]int {
	return [3]int{1950 + g.r.IntN(55), 1 + g.r.IntN(12), 1 + g.r.IntN(28)}
}

func iso(b [3]int) string { return fmt.Sprintf("%04d-%02d-%02d", b[0], b[1], b[2]) }

// seenBirth writes a birth with the slips and gaps of jails.
func (g *Generator) seenBirth(b [3]int) string {
	switch g.r.IntN(20) {
	case 0:
		b[0] += g.r.IntN(3) - 1
	case 1:
		b[1] = 1 + g.r.IntN(12)
	case 2:
		b[2] = 1 + g.r.IntN(28)
	case 3:
		if b[2] <= 12 {
			b[1], b[2] = b[2], b[1]
		}
	case 4:
		b[1], b[2] = 1, 1
	case 5, 6:
		return ""
	case 7:
		return fmt.Sprintf("%04d", b[0])
	}
	return iso(b)
}
