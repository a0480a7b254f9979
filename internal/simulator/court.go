package simulator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"rollcall/internal/simulator/naming"
)

// Case is one court case.
type Case struct {
	County string // slug
	// Court is `STATE`, `SUPERIOR`, `MAGISTRATE` or `WARRANTS`.
	Court string
	// Number is unique within county and court.
	Number    string
	Person    int // as Booking.Person
	Name      naming.Name
	Birth     time.Time // true date at midnight UTC
	Sex, Race string
	// Filed and Disposed are days at midnight UTC.
	Filed time.Time
	// Disposed is zero while the case is pending.
	Disposed          time.Time
	Code, Disposition string // empty while pending
	// Bail is in cents, 0 for none.
	Bail int64
	// Booking is the number of the booking from which the case came, or empty.
	Booking string
	// Charges and Hearings are replaced as a whole, never changed in place.
	Charges  []CaseCharge
	Hearings []Hearing
	Changed  time.Time // when anything of it last changed
}

// CaseCharge is one count of a case.
type CaseCharge struct {
	Statute, Grade, Description string
	Violation                   time.Time // when it was committed
}

// Hearing is one court event.
type Hearing struct {
	// Event numbers the hearings of a case; a number is never used again.
	Event int
	// At is the time of the hearing in the court's zone; Created is when it was put on the calendar.
	At                time.Time
	Code, Room, Judge string // as the clerk writes them
	// Link is the address of a virtual hearing, or empty.
	Link    string
	Created time.Time // when it was put on the calendar
}

// deletion is a hearing that was taken off the calendar.
type deletion struct {
	county, court, number string
	event                 int
	at                    time.Time
}

// verdict is how a case ends: the clerk's code and its text.
type verdict struct{ code, text string }

var (
	verdicts = [...]verdict{
		{"GP", "GUILTY PLEA"},
		{"GP", "GUILTY PLEA"},
		{"NP", "NOLLE PROSEQUI"},
		{"DI", "DISMISSED"},
		{"FO", "FIRST OFFENDER"},
		{"NC", "NOLO CONTENDERE"},
		{"DB", "DEAD DOCKET"},
	}
	judges = [...]string{"HOLLOWAY R", "PENNINGTON A", "STROUD L", "WHITLOCK D", "ABERNATHY C", "TISDALE M", "CROSBY J"}
)

// fileCase opens a case against the booked person, in the court that the gravest charge belongs to.
func (w *world) fileCase(b *Booking, at time.Time, r *rand.Rand) {
	b.cased = true
	c := Case{
		County: b.County, Court: courtOf(b.Charges, r), Person: b.Person, Name: w.people[b.Person].name, Birth: b.Birth,
		Sex: b.Sex, Race: b.Race, Filed: day(at), Booking: b.Number, Changed: at,
	}
	c.Bail, _ = b.Bond()
	for _, charge := range b.Charges {
		c.Charges = append(c.Charges, CaseCharge{charge.Statute, charge.Grade, charge.Description, b.Booked})
	}
	w.addCase(c, r)
}

// oldCase invents a finished case behind a prison sentence.
func (w *world) oldCase(o Offender, s Sentence, r *rand.Rand) {
	filed := s.Sentenced.AddDate(0, -1-r.IntN(9), 0)
	w.addCase(Case{
		County: s.SentenceCounty, Court: "SUPERIOR", Person: o.Person, Name: o.Name, Birth: o.Birth, Sex: o.Sex, Race: o.Race,
		Filed: filed, Disposed: s.Sentenced, Code: "GP", Disposition: "GUILTY PLEA", Changed: w.at,
		Charges: []CaseCharge{{s.Statute, "F", s.Offense, filed.AddDate(0, 0, -r.IntN(60))}},
	}, r)
}

// addCase numbers a case in its county's way and sets the first hearing of a pending one.
func (w *world) addCase(c Case, r *rand.Rand) {
	w.docket++
	year := c.Filed.Year() % 100
	// Slashes and blanks in case numbers are real, and have to survive in paths of /v1.
	switch len(c.County) % 3 {
	case 0:
		c.Number = fmt.Sprintf("%02d-%s-%05d", year, c.Court[:2], w.docket)
	case 1:
		c.Number = fmt.Sprintf("%sR %04d/%05d", c.Court[:2], c.Filed.Year(), w.docket)
	default:
		c.Number = fmt.Sprintf("%s%02dCR%06d", c.Court[:3], year, w.docket)
	}
	if c.Disposed.IsZero() && c.Court != "WARRANTS" {
		c.Hearings = []Hearing{w.hearing(1, c.Changed, r)}
	}
	w.cases = append(w.cases, c)
}

// hearing sets a court event in the five weeks to come, on a weekday between nine and four.
func (w *world) hearing(event int, at time.Time, r *rand.Rand) Hearing {
	local := at.In(w.zone).AddDate(0, 0, 3+r.IntN(35))
	switch local.Weekday() {
	case time.Saturday:
		local = local.AddDate(0, 0, 2)
	case time.Sunday:
		local = local.AddDate(0, 0, 1)
	}
	h := Hearing{
		Event: event, At: time.Date(local.Year(), local.Month(), local.Day(), 9+r.IntN(7), r.IntN(2)*30, 0, 0, w.zone),
		Code: [...]string{"ARRAIGN", "CALENDAR", "MOTION", "STATUS", "TRIAL"}[r.IntN(5)],
		Room: fmt.Sprintf("COURTROOM %d", 1+r.IntN(6)), Judge: judges[r.IntN(len(judges))], Created: at,
	}
	if r.IntN(4) == 0 {
		h.Room, h.Link = "", fmt.Sprintf("https://court.example.invalid/j/%09d", r.IntN(1_000_000_000))
	}
	return h
}

// decide ends a case.
func (c *Case) decide(at time.Time, r *rand.Rand) {
	end := verdicts[r.IntN(len(verdicts))]
	c.Disposed, c.Code, c.Disposition, c.Changed = day(at), end.code, end.text, at
}

// strike takes the case's last hearing off the calendar.
func (c *Case) strike(at time.Time) deletion {
	last := c.Hearings[len(c.Hearings)-1]
	c.Hearings, c.Changed = slices.Clone(c.Hearings[:len(c.Hearings)-1]), at
	return deletion{c.County, c.Court, c.Number, last.Event, at}
}

// courtOf returns the court that hears the charges.
func courtOf(charges []Charge, r *rand.Rand) string {
	first := charges[0]
	if strings.HasPrefix(first.Description, "FAILURE TO") || strings.HasPrefix(first.Description, "HOLD") {
		return "WARRANTS"
	}
	for _, charge := range charges {
		if charge.Grade == "F" {
			return "SUPERIOR"
		}
	}
	if r.IntN(6) == 0 {
		return "MAGISTRATE"
	}
	return "STATE"
}

// fileLater files a case for somebody held, unless the courts are full.
func (w *world) fileLater(r *rand.Rand) {
	for range 8 {
		index, k, ok := w.someoneHeld(r)
		if !ok || len(w.cases) > len(w.people) {
			return
		}
		if b := &w.jails[index].custody[k]; !b.cased && !b.Juvenile() {
			w.fileCase(b, w.at, r)
			return
		}
	}
}

// openCase draws a pending case with at least so many hearings.
func (w *world) openCase(r *rand.Rand, hearings int) *Case {
	for range 40 {
		if len(w.cases) == 0 {
			return nil
		}
		if c := &w.cases[r.IntN(len(w.cases))]; c.Disposed.IsZero() && len(c.Hearings) >= hearings {
			return c
		}
	}
	return nil
}

// addHearing sets one more hearing of a pending case, six at most.
func (w *world) addHearing(r *rand.Rand) {
	c := w.openCase(r, 1)
	if c == nil || len(c.Hearings) > 5 {
		return
	}
	last := c.Hearings[len(c.Hearings)-1].Event
	for _, gone := range w.deleted {
		if gone.number == c.Number && gone.county == c.County {
			last = max(last, gone.event)
		}
	}
	c.Hearings = append(slices.Clip(c.Hearings), w.hearing(last+1, w.at, r))
	c.Changed = w.at
}

// strikeHearing takes a hearing off the calendar and remembers it for the file of changes.
func (w *world) strikeHearing(r *rand.Rand) {
	c := w.openCase(r, 2)
	if c == nil {
		return
	}
	if len(w.deleted) >= keptDeletions {
		w.deleted = w.deleted[1:]
	}
	w.deleted = append(w.deleted, c.strike(w.at))
}

// decideCase ends a pending case.
func (w *world) decideCase(r *rand.Rand) {
	if c := w.openCase(r, 1); c != nil {
		c.decide(w.at, r)
	}
}
