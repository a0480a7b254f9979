package simulator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rollcall/internal/simulator/gallery"
	"rollcall/internal/simulator/naming"
)

// Location is where the corrections department has an offender.
type Location string

// The locations, as the letters of the file's location flag.
const (
	Incarcerated Location = "I"
	Paroled      Location = "P"
	Discharged   Location = "R"
)

// Sentence is one row of the corrections file.
type Sentence struct {
	// OffenseCounty and SentenceCounty are slugs.
	OffenseCounty, SentenceCounty string
	// Code is the department's number of the offence, of four digits.
	Code, Statute, Offense string
	Completed              bool // served
	// Concurrent is `CC`, or `CS` when the sentence follows the one before it.
	Concurrent string
	Sentenced  time.Time // day at midnight UTC
	// Years is 99 for life. A person with a life sentence has no release dates.
	Years, Months, Days    int
	MaxRelease, MinRelease time.Time // zero for life
	Probation              time.Time // its end; zero: none
	onProbation            bool
}

// Life reports whether the sentence is for life.
func (s Sentence) Life() bool { return s.Years == life }

// Offender is one corrections record.
type Offender struct {
	// GDC is the department's id, eight digits.
	GDC       string
	Person    int // as Booking.Person
	Name      naming.Name
	Birth     time.Time // true date at midnight UTC
	Sex, Race string
	// Location is the flag of the file. It decides the status that rollcall shows.
	Location Location
	// Place is the department's eight-letter code of a prison or office.
	Place string
	// Cause is why the offender is at the location: `NEW COMMITMENT`, `PAROLE`, `MAXIMUM OUT`.
	Cause string
	// Sentences are replaced as a whole, never changed in place. There is at least one.
	Sentences []Sentence
	Changed   time.Time
	// YearOnly means that the file has only the year of birth, as for some real records.
	YearOnly bool
	// Photograph is what lies beside the department's file: a portrait of every third person.
	Photograph gallery.Shown
}

// prisons are codes of eight letters at most for Georgia's state prisons.
var prisons = [...]string{
	"AUTRY SP", "BALDWIN", "CALHOUN", "CENTRAL", "COASTAL", "DOOLY SP", "HANCOCK", "HAYS SP",
	"JOHNSON", "LEE SP", "MACON SP", "PHILLIPS", "PULASKI", "ROGERS", "RUTLEDGE", "SMITH SP", "TELFAIR", "VALDOSTA", "WARE SP", "WILCOX",
}

// foundOffender makes a record with a past for person p: two in five are in prison, one in five on parole.
func (w *world) foundOffender(p int) {
	r := w.draw(streamOffender, p)
	o := w.newOffender(p, r)
	grown := int(w.at.Sub(w.people[p].birth).Hours()/24) - 18*366
	for nth := range 1 + r.IntN(3)/2 {
		s := w.newSentence(r, w.people[p].home, w.book.drawSerious(r), nth)
		s.begin(w.at.AddDate(0, 0, -r.IntN(min(grown, 12*365)+1)))
		o.Sentences = append(o.Sentences, s)
	}
	switch draw := r.IntN(100); {
	case draw < 40 || o.Sentences[0].Life():
		o.serve(w.at, r)
		w.people[p].place = inPrison
	case draw < 60:
		o.serve(w.at, r)
		o.parole()
	default:
		served := w.at.Sub(o.Sentences[len(o.Sentences)-1].Sentenced)
		o.discharge(w.at.Add(-time.Duration(float64(served) * 0.7 * r.Float64())))
	}
	w.offenders = append(w.offenders, o)
	w.people[p].offender = len(w.offenders)
}

// serve moves the first sentence to a day late enough that it has not ended yet.
func (o *Offender) serve(now time.Time, r *rand.Rand) {
	s := &o.Sentences[0]
	for !s.Life() && !s.MaxRelease.After(now) {
		served := now.Sub(s.Sentenced)
		s.begin(now.Add(-time.Duration(float64(served) * (0.2 + 0.6*r.Float64()))))
	}
}

// newOffender begins the record of someone who comes to prison.
func (w *world) newOffender(p int, r *rand.Rand) Offender {
	who, shown := w.people[p], gallery.Nothing
	if p%3 == 0 {
		shown = gallery.Again
	}
	return Offender{
		GDC: fmt.Sprintf("%08d", 10_000_000+len(w.offenders)*7+r.IntN(7)), Person: p,
		Name: who.name, Birth: who.birth, Sex: who.sex, Race: who.race,
		Location: Incarcerated, Place: prisons[r.IntN(len(prisons))], Cause: "NEW COMMITMENT",
		Changed: w.at, YearOnly: r.IntN(5) == 0, Photograph: shown,
	}
}

// newSentence returns what a court in the county of a jail imposes for one offence; nth counts from 0. It has no dates
// before it begins.
func (w *world) newSentence(r *rand.Rand, jail int, o *offense, nth int) Sentence {
	county := w.jails[jail].county
	s := Sentence{
		OffenseCounty: county, SentenceCounty: county, Code: o.code, Statute: o.statute, Offense: o.text,
		Concurrent: "CC", onProbation: r.IntN(3) == 0,
	}
	if nth > 0 && r.IntN(3) == 0 {
		s.Concurrent = "CS"
	}
	if o.years == life && r.IntN(3) > 0 {
		s.Years = life
		return s
	}
	s.Years, s.Months = 1+r.IntN(min(o.years, 30)), r.IntN(12)
	return s
}

// begin dates the sentence.
func (s *Sentence) begin(at time.Time) {
	s.Sentenced = day(at)
	if s.Life() {
		return
	}
	s.MaxRelease = s.Sentenced.AddDate(s.Years, s.Months, s.Days)
	s.MinRelease = s.Sentenced.AddDate(s.Years/3, s.Months/3, s.Days)
	if s.onProbation {
		s.Probation = s.MaxRelease.AddDate(2, 0, 0)
	}
}

// parole moves an offender to parole.
func (o *Offender) parole() {
	o.Location, o.Place, o.Cause = Paroled, "PAROLE", "PAROLE"
}

// discharge ends all sentences at a time, or earlier where they had ended before.
func (o *Offender) discharge(at time.Time) {
	o.Location, o.Place, o.Cause = Discharged, "", "MAXIMUM OUT"
	sentences := slices.Clone(o.Sentences)
	for i := range sentences {
		s := &sentences[i]
		if s.Completed = true; s.MaxRelease.After(at) || s.MaxRelease.IsZero() {
			s.MaxRelease = day(at)
		}
		if s.MinRelease.After(s.MaxRelease) {
			s.MinRelease = s.MaxRelease
		}
	}
	o.Sentences = sentences
}

// day cuts a time to its date, as midnight UTC.
func day(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// freeOffender paroles or discharges somebody from prison, or ends a parole.
func (w *world) freeOffender(r *rand.Rand) {
	for range 20 {
		if len(w.offenders) == 0 {
			return
		}
		o := &w.offenders[r.IntN(len(w.offenders))]
		if o.Location == Discharged || o.Sentences[0].Life() {
			continue
		}
		p := &w.people[o.Person]
		if o.Location == Incarcerated && r.IntN(2) == 0 {
			o.parole()
		} else {
			o.discharge(w.at)
		}
		if p.place == inPrison {
			p.place = free
		}
		o.Changed = w.at
		return
	}
}

// admitOffender takes somebody from a county jail to a state prison for the gravest of the charges.
func (w *world) admitOffender(r *rand.Rand) {
	for range 20 {
		index, k, ok := w.someoneHeld(r)
		if !ok {
			return
		}
		b := w.jails[index].custody[k]
		entry := gravest(b.Charges)
		if entry == nil || ageAt(b.Birth, w.at) < 18 {
			continue
		}
		w.release(index, k)
		w.commit(index, b.Person, entry, r)
		return
	}
}

// commit brings a person to prison, under the record that is there from an earlier time if there is one.
func (w *world) commit(index, who int, entry *offense, r *rand.Rand) {
	p := &w.people[who]
	p.place = inPrison
	if p.offender == 0 {
		o := w.newOffender(who, r)
		o.Sentences = []Sentence{w.newSentence(r, index, entry, 0)}
		o.Sentences[0].begin(w.at)
		w.offenders = append(w.offenders, o)
		p.offender = len(w.offenders)
		return
	}
	o := &w.offenders[p.offender-1]
	o.Location, o.Place, o.Cause, o.Changed = Incarcerated, prisons[r.IntN(len(prisons))], "PAROLE REVOKED", w.at
	again := w.newSentence(r, index, entry, len(o.Sentences))
	again.begin(w.at)
	o.Sentences = append(slices.Clip(o.Sentences), again)
}

// gravest is the offence among the charges that carries the longest prison sentence, or nil.
func gravest(charges []Charge) *offense {
	var worst *offense
	for _, charge := range charges {
		for i := range offenses {
			if entry := &offenses[i]; entry.text == charge.Description && entry.years > 0 && (worst == nil || entry.years > worst.years) {
				worst = entry
			}
		}
	}
	return worst
}
