package labelled

import "fmt"

// Entry is a booking, a watcher or a corrections record of a set. Born is YYYY-MM-DD, YYYY
// or empty.
type Entry struct{ ID, Name, Born, County string }

// Linkage is bookings and records, with the right answers.
type Linkage struct {
	Bookings, Records []Entry
	// Truth maps a booking to its record, for bookings that have one.
	Truth map[string]string
	// Written maps a booking with a record to what was done to its name.
	Written map[string]string
	// Slip maps it to what was done to its birth date.
	Slip map[string]string
}

// Linkage invents records, and bookings of which a third are of people with a record: their
// names and births are written with the errors of the labelled pairs. Relatives and
// namesakes without a record are among the rest, since they are what a linker is most
// easily wrong about.
func (g *Generator) Linkage(bookings, records int) Linkage {
	out := Linkage{Truth: map[string]string{}, Written: map[string]string{}, Slip: map[string]string{}}
	people := make([]person, records)
	births := make([][3]int, records)
	for i := range people {
		people[i], births[i] = g.person(), g.birth()
		out.Records = append(out.Records, Entry{ID: fmt.Sprintf("r%06d", i), Name: g.written(people[i]), Born: iso(births[i])})
	}
	var same []class
	for _, c := range sameClasses() {
		switch c.name {
		case "particles", "apostrophe", "hyphen", "two surnames", "spaced prefix", "blank inside first name", "one of two surnames":
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
			e.Name, out.Written[e.ID] = g.written(p), "as it is"
			if g.chance(0.5) {
				c := same[g.r.IntN(len(same))]
				if _, seen, ok := c.make(g, p); ok {
					e.Name, out.Written[e.ID] = seen, c.name
				}
			}
			e.Born, out.Slip[e.ID] = g.seenBirth(born)
			out.Truth[e.ID] = out.Records[k].ID
		case i%30 == 1: // a twin
			p.first, p.middle = g.pick(g.names(p)), ""
			if !g.distinct(p.first, people[k].first) || g.linked(p.first, people[k].middle) {
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

// birth draws a date of birth of an adult.
func (g *Generator) birth() [3]int {
	return [3]int{1950 + g.r.IntN(55), 1 + g.r.IntN(12), 1 + g.r.IntN(28)}
}

// iso writes a date as YYYY-MM-DD.
func iso(b [3]int) string { return fmt.Sprintf("%04d-%02d-%02d", b[0], b[1], b[2]) }

// seenBirth writes a birth with the slips and gaps of jails, and names the slip. Two fifths
// of the births have one: a digit, a part, an order, a placeholder, or nothing but a year.
func (g *Generator) seenBirth(b [3]int) (born, slip string) {
	was := b
	switch g.r.IntN(20) {
	case 0:
		slip = "year off"
		switch g.r.IntN(4) {
		case 0:
			b[0] += 10 * (2*g.r.IntN(2) - 1) // one digit
		case 1:
			b[0] = b[0]/100*100 + b[0]%10*10 + b[0]/10%10 // two digits in the other order
		default:
			b[0] += 2*g.r.IntN(2) - 1
		}
	case 1:
		b[1], slip = 1+g.r.IntN(12), "month off"
	case 2:
		b[2], slip = 1+g.r.IntN(28), "day off"
	case 3:
		if b[2] <= 12 {
			b[1], b[2], slip = b[2], b[1], "day and month swapped"
		}
	case 4:
		b[1], b[2], slip = 1, 1, "1 January"
	case 5, 6:
		return "", "missing"
	case 7:
		return fmt.Sprintf("%04d", b[0]), "year only"
	}
	if b == was {
		slip = "as it is"
	}
	return iso(b), slip
}
