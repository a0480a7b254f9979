package simulator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"rollcall/internal/simulator/naming"
)

// place is where a person is. Nobody is in two places.
type place int

// The places. A person in one of them cannot be booked elsewhere.
const (
	free place = iota
	inJail
	inPrison
)

// person is one invented human being.
type person struct {
	name      naming.Name
	sex, race string
	birth     time.Time
	address   string
	// home is the index of the jail in whose county the person lives.
	home  int
	place place
	// left is when the person last left a jail, leftJail which one.
	left     time.Time
	leftJail int
	// offender is the index of the corrections record plus one; 0 without one.
	offender int
}

var streets = [...]string{
	"Oak St", "Church St", "Peachtree Ave", "Old Mill Rd", "Pine Ridge Dr",
	"Martin Luther King Jr Blvd", "Lee St", "River Rd", "Magnolia Ln", "2nd Ave",
}

// newPerson invents somebody who lives near one of homes jails. One in sixty is a juvenile.
func newPerson(r *rand.Rand, names naming.Namer, at time.Time, homes int) person {
	p := person{sex: "M", home: r.IntN(homes)}
	if r.IntN(100) < 24 {
		p.sex = "F"
	}
	switch draw := r.IntN(100); {
	case draw < 48:
		p.race = "B"
	case draw < 90:
		p.race = "W"
	case draw < 97:
		p.race = "H"
	case draw < 99:
		p.race = "A"
	default:
		p.race = "U"
	}
	p.name = names.Invent(r, p.sex)
	age := 17.3 + math.Mod(r.ExpFloat64()*16, 65)
	if r.IntN(60) == 0 {
		age = 14 + r.Float64()*2.5
	}
	days := int(age * 365.25)
	p.birth = time.Date(at.Year(), at.Month(), at.Day()-days, 0, 0, 0, 0, time.UTC)
	p.address = fmt.Sprintf("%d %s", 100+r.IntN(9800), streets[r.IntN(len(streets))])
	return p
}
