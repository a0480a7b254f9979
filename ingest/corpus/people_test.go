package corpus_test

import (
	"fmt"
	"time"

	"rollcall/models"
)

// person is somebody invented, with a stay in jail, a court case and a sentence. A shape writes what its kind states.
type person struct {
	N                           int
	County                      string // as the source writes it
	Number                      string // of the booking, the case or the offender
	PersonNo                    string
	Last, First, Middle, Suffix string
	Sex, Race                   string
	Born                        time.Time // zero: not stated
	Booked                      time.Time // zero: not stated; of a case the day on which it was filed
	Released                    time.Time // zero: in jail
	Charges                     []charge
	Bond                        int // of all charges, in dollars; 0: none is set, -1: not stated
	Place                       string
	Status                      string
	Changed                     bool // since the snapshot before
}

// charge is one of a person's charges. Bond is in dollars; 0: NO BOND, -1: not stated.
type charge struct {
	Text, Statute, Grade string
	Bond                 int
}

// numbers is how numbers of bookings are made of those of the trial and the person: there are no two alike.
const numbers = "26%03d%05d"

// whole is how many people a jail has in its first snapshot.
const whole = 30

// Of the people by number, from 0. The others differ in nothing that matters.
const (
	apostrophe = 3  // O'BRANNIGAN
	twoWords   = 5  // DE LA FUENTE
	junior     = 7  // with a suffix
	nameless   = 8  // no middle name
	child      = 11 // 15 years old: never published
	unbonded   = 13 // NO BOND
	unset      = 14 // no bond at all
	unborn     = 16 // no birth date
	twoCharges = 4
)

// What happens between two snapshots: who leaves, who comes, whose bond and charges change.
var (
	leaves = map[int]int{2: 1, 9: 1, 21: 1, 6: 2, 25: 2} // person: the snapshot from 0 that lacks him first
	comes  = map[int]int{30: 1, 31: 1, 32: 2}
)

const (
	raised  = 10 // his bond is 900 dollars higher from the second snapshot on
	charged = 12 // he has one charge more from the second snapshot on
)

var lastNames = []string{
	"QUILLFEATHER", "THISTLEDOWN", "MOONSAIL", "O'BRANNIGAN", "BRACKENRIDGE", "DE LA FUENTE", "STORMCROW", "LANTERNWOOD", "FENWICKE", "PEBBLEBROOK", "HOLLOWAY",
	"MARSHWIGGLE", "OAKENSHIELD", "TUMBLEWEED", "WINTERBOURNE", "SALTMARSH", "GREYSTOKE", "CLOUDESLEY", "RAVENSCROFT", "APPLEYARD", "DUNMORE", "IRONWOOD", "JESSAMY",
	"KETTLEWELL", "LOCKSMYTHE", "NIGHTINGALE", "PARTRIDGE", "SNOWDEN", "UNDERHILL", "VELLACOTT", "YARROW", "ZEPHYRINE", "COBBLEPOT",
}

var firstNames = []string{
	"MARLOWE", "PIP", "ORLA", "WREN", "TOLLIVER", "ISA", "IDA", "ASA", "DELL", "CORWIN", "LUDO", "BRIAR", "THADDEUS", "ELOWEN", "HOLLIS", "JUNIPER", "CASPIAN", "ROWENA",
	"SILAS", "MAEVE", "PHINEAS", "TAMSIN", "URIAH", "GISELLE", "BARNABY", "OTTILIE", "FERGUS", "LYSANDER", "ODETTE", "QUENTIN", "SABINE", "VALENTIN", "HESTER",
}

// at is the instant of a snapshot, from 0.
func (c *trial) at(snapshot int) time.Time { return c.begin.AddDate(0, 0, snapshot) }

// people are those of whom the jail knows at a snapshot, those who left among them.
func (c *trial) people(snapshot int) []person {
	var all []person
	for n := range lastNames {
		if comes[n] > snapshot {
			continue
		}
		all = append(all, c.person(n, snapshot))
	}
	return all
}

func (c *trial) person(n, snapshot int) person {
	p := person{
		N: n, County: c.shape.spelling(), Number: fmt.Sprintf(numbers, c.nth, 100+n), PersonNo: fmt.Sprintf("%d%04d", 7+c.nth, 2000+n),
		Last: lastNames[n], First: firstNames[n], Middle: string(rune('A' + n%26)), Sex: []string{"M", "F"}[n%2], Race: []string{"W", "B", "A"}[n%3],
		Born: time.Date(1960+n, time.Month(1+n%12), 1+n%28, 0, 0, 0, 0, time.UTC), Place: []string{"DOOLYSP", "HAYSSP", "WAREPR"}[n%3], Status: "I",
		Charges: []charge{{"THEFT BY TAKING", "16-8-2", "F", 500 + 100*n}},
	}
	// They were booked a few hours apart, and those who come a while before the snapshot that lists them first.
	p.Booked = c.begin.Add(-time.Duration(7*n+5)*time.Hour - time.Duration(n)*time.Minute)
	if since := comes[n]; since > 0 {
		p.Booked = c.at(since).Add(-time.Duration(n-24)*time.Hour - time.Duration(n)*time.Minute)
	}
	gone := leaves[n]
	if c.source.Kind == "corrections" && n > 6 {
		gone = 0 // of a department few leave, and more in one file are held
	}
	if gone > 0 && gone <= snapshot {
		p.Released, p.Status = c.at(gone).Add(-time.Duration(2+n%5)*time.Hour), "O"
	}
	if c.shape.Lists == releases { // it knows nobody else
		p.Released = p.Booked.Add(time.Duration(90+n) * time.Minute)
	}
	p.Changed = snapshot == 0 || comes[n] == snapshot || leaves[n] == snapshot || snapshot == 1 && (n == raised || n == charged)
	switch n {
	case junior:
		p.Suffix = "JR"
	case nameless:
		p.Middle = ""
	case child:
		p.Born = c.begin.AddDate(-15, 0, -40)
		if !c.shape.States.Age() {
			p.Born = c.begin.AddDate(-30, 0, -40) // nobody could see it
		}
	case unbonded:
		p.Charges[0].Bond = 0
	case unset:
		p.Charges[0].Bond = -1
	case unborn:
		p.Born = time.Time{}
	case twoCharges:
		p.Charges = append(p.Charges, charge{"SIMPLE BATTERY", "16-5-23", "M", 300})
	}
	if n == raised && snapshot > 0 {
		p.Charges[0].Bond += 900
	}
	if n == charged && snapshot > 0 {
		p.Charges = append(p.Charges, charge{"FAILURE TO APPEAR", "17-6-12", "M", 250})
	}
	p.sum()
	p.Booked, p.Released = p.Booked.In(models.Georgia), p.Released.In(models.Georgia)
	return p
}

// sum makes the bond of the booking that of its charges.
func (p *person) sum() {
	p.Bond = -1
	for _, c := range p.Charges {
		switch {
		case c.Bond > 0:
			p.Bond = max(p.Bond, 0) + c.Bond
		case c.Bond == 0:
			p.Bond = max(p.Bond, 0)
		}
	}
}

// in reports whether the person is in jail.
func (p *person) in() bool { return p.Released.IsZero() || p.Released.Year() < 1900 }
