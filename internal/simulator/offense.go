package simulator

import "math/rand/v2"

// offense is one entry of the statute book: what clerks write, and the bond that a magistrate sets for it.
type offense struct {
	statute, text string
	// grade is `M` for a misdemeanor, `F` for a felony.
	grade string
	// weight is how often it is charged.
	weight int
	// low and high bound the bond in dollars; both 0 where none is given.
	low, high int
	// years bounds a sentence; 0 where nobody goes to a state prison for it, life where it may be for ever.
	years int
	// code is the corrections department's number for it.
	code string
}

const life = 99

// offenses are Georgia's, with the statutes that police write and weights that resemble a jail's week.
var offenses = []offense{
	{"40-6-391(a)(5)", "DUI - ALCOHOL 0.08 OR MORE", "M", 90, 1000, 2500, 0, "0000"},
	{"40-5-121", "DRIVING WHILE LICENSE SUSPENDED OR REVOKED", "M", 80, 500, 1500, 0, "0000"},
	{"42-8-38", "PROBATION VIOLATION", "M", 95, 0, 0, 0, "0000"},
	{"17-6-12", "FAILURE TO APPEAR", "M", 85, 500, 2000, 0, "0000"},
	{"16-8-14", "THEFT BY SHOPLIFTING", "M", 60, 500, 2000, 0, "0000"},
	{"16-5-23.1(f)", "BATTERY - FAMILY VIOLENCE (1ST OFFENSE)", "M", 60, 1500, 5000, 0, "0000"},
	{"16-5-23", "SIMPLE BATTERY", "M", 50, 1000, 2500, 0, "0000"},
	{"16-13-2(b)", "POSSESSION OF MARIJUANA LESS THAN 1 OZ", "M", 50, 500, 1500, 0, "0000"},
	{"16-13-30(a)", "POSSESSION OF METHAMPHETAMINE", "F", 65, 2500, 10000, 8, "3101"},
	{"16-13-26", "POSSESSION OF SCHEDULE II CONTROLLED SUBSTANCE", "F", 45, 2500, 10000, 8, "3104"},
	{"16-10-24(a)", "WILLFUL OBSTRUCTION OF LAW ENFORCEMENT OFFICERS", "M", 50, 1000, 2500, 0, "0000"},
	{"16-11-39", "DISORDERLY CONDUCT", "M", 40, 300, 1000, 0, "0000"},
	{"16-11-41", "PUBLIC DRUNKENNESS", "M", 35, 200, 500, 0, "0000"},
	{"16-7-21", "CRIMINAL TRESPASS", "M", 40, 500, 1500, 0, "0000"},
	{"40-6-181", "SPEEDING", "M", 20, 150, 400, 0, "0000"},
	{"40-6-48", "FAILURE TO MAINTAIN LANE", "M", 30, 150, 400, 0, "0000"},
	{"40-6-10", "NO INSURANCE", "M", 25, 300, 800, 0, "0000"},
	{"40-5-20", "DRIVING WITHOUT A VALID LICENSE", "M", 30, 300, 900, 0, "0000"},
	{"16-5-21", "AGGRAVATED ASSAULT", "F", 35, 10000, 60000, 20, "1302"},
	{"16-11-37", "TERRORISTIC THREATS AND ACTS", "F", 25, 5000, 15000, 5, "1402"},
	{"16-7-1(b)", "BURGLARY - 1ST DEGREE", "F", 22, 7500, 25000, 20, "1601"},
	{"16-8-18", "ENTERING AUTOMOBILE WITH INTENT TO COMMIT THEFT", "F", 22, 2500, 10000, 5, "1802"},
	{"16-8-2", "THEFT BY TAKING - FELONY", "F", 28, 2500, 15000, 10, "1811"},
	{"16-8-7", "THEFT BY RECEIVING STOLEN PROPERTY", "F", 22, 2500, 10000, 10, "1813"},
	{"16-9-1(e)", "FORGERY - 4TH DEGREE", "M", 12, 1000, 3000, 0, "0000"},
	{"16-9-121", "IDENTITY FRAUD", "F", 14, 5000, 15000, 10, "1761"},
	{"16-11-131(b)", "POSSESSION OF FIREARM BY CONVICTED FELON", "F", 26, 5000, 25000, 10, "2914"},
	{"16-13-32.2", "POSSESSION OF DRUG RELATED OBJECTS", "M", 35, 500, 1500, 0, "0000"},
	{"40-6-390", "RECKLESS DRIVING", "M", 18, 500, 1500, 0, "0000"},
	{"40-6-270", "HIT AND RUN", "M", 16, 1000, 2500, 0, "0000"},
	{"40-6-395(a)", "FLEEING OR ATTEMPTING TO ELUDE POLICE OFFICER", "F", 20, 2500, 10000, 5, "2711"},
	{"16-5-70(d)", "CRUELTY TO CHILDREN - 3RD DEGREE", "M", 18, 1000, 5000, 0, "0000"},
	{"16-5-91", "AGGRAVATED STALKING", "F", 10, 10000, 30000, 10, "1319"},
	{"16-7-23", "CRIMINAL DAMAGE TO PROPERTY - 2ND DEGREE", "F", 18, 2500, 10000, 5, "1752"},
	{"16-11-36", "LOITERING OR PROWLING", "M", 14, 300, 1000, 0, "0000"},
	{"16-10-25", "GIVING FALSE NAME TO OFFICER", "M", 18, 500, 1500, 0, "0000"},
	{"", "HOLD FOR OTHER AGENCY", "M", 40, 0, 0, 0, "0000"},
	{"15-6-8", "CONTEMPT OF COURT", "M", 20, 0, 0, 0, "0000"},
	{"19-6-28", "FAILURE TO PAY CHILD SUPPORT", "M", 20, 0, 0, 0, "0000"},
	{"16-8-41", "ARMED ROBBERY", "F", 12, 50000, 150000, life, "1902"},
	{"16-8-40", "ROBBERY BY FORCE", "F", 9, 15000, 50000, 20, "1901"},
	{"16-5-40", "KIDNAPPING", "F", 5, 50000, 150000, life, "1311"},
	{"16-5-1", "MURDER", "F", 6, 0, 0, life, "1101"},
	{"16-5-2", "VOLUNTARY MANSLAUGHTER", "F", 3, 50000, 150000, 20, "1102"},
	{"16-6-1", "RAPE", "F", 4, 0, 0, life, "2001"},
	{"16-6-4(a)", "CHILD MOLESTATION", "F", 6, 25000, 100000, 20, "2019"},
	{"16-13-31(a)", "TRAFFICKING IN COCAINE", "F", 9, 25000, 100000, 30, "3120"},
	{"16-13-30(b)", "SALE OF HEROIN", "F", 7, 15000, 50000, 30, "3127"},
	{"16-5-41", "FALSE IMPRISONMENT", "F", 7, 5000, 20000, 10, "1312"},
	{"16-7-60", "ARSON - 1ST DEGREE", "F", 3, 25000, 75000, 20, "1501"},
	{"16-7-20", "POSSESSION OF TOOLS FOR COMMISSION OF CRIME", "F", 10, 2500, 7500, 5, "1604"},
	{"40-6-253", "OPEN CONTAINER VIOLATION", "M", 15, 150, 400, 0, "0000"},
	{"40-2-8", "EXPIRED OR NO TAG", "M", 16, 150, 400, 0, "0000"},
	{"16-10-24.3", "INTERFERENCE WITH 911 CALL", "M", 9, 500, 2000, 0, "0000"},
	{"16-15-4", "GANG ACTIVITY", "F", 8, 25000, 100000, 20, "2921"},
	{"16-5-95", "VIOLATION OF PROTECTIVE ORDER", "M", 12, 1500, 5000, 0, "0000"},
}

// book draws offences by weight; serious is the part of it that leads to a state prison.
type book struct {
	all, serious []int
}

// newBook makes both lists: an offence is in each as often as its weight says.
func newBook() book {
	var b book
	for i, entry := range offenses {
		for range entry.weight {
			b.all = append(b.all, i)
			if entry.years > 0 {
				b.serious = append(b.serious, i)
			}
		}
	}
	return b
}

func (b book) draw(r *rand.Rand) *offense { return &offenses[b.all[r.IntN(len(b.all))]] }

func (b book) drawSerious(r *rand.Rand) *offense {
	return &offenses[b.serious[r.IntN(len(b.serious))]]
}

// bond is what a magistrate sets for the offence: an amount in steps of 50 dollars, nothing yet, or none.
func (o *offense) bond(r *rand.Rand) Bond {
	if o.high == 0 {
		return Bond{Kind: NoBond}
	}
	switch draw := r.IntN(100); {
	case draw < 8:
		return Bond{Kind: NoBond}
	case draw < 18:
		return Bond{Kind: BondUnset}
	}
	cents := int64(o.low+r.IntN(o.high-o.low+1)) / 50 * 50 * 100
	kind := BondSurety
	if r.IntN(3) == 0 {
		kind = BondCash
	}
	return Bond{Kind: kind, Cents: max(cents, 5000)}
}
