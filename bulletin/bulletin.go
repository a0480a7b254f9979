// Package bulletin says in words for people what an event is: a title, facts, why a watcher matched, how current
// it is and what to check. Mails, Atom subscriptions and the page behind a mail's link show the same words. It is pure:
// it reads nothing, knows no markup and no clock.
//
// It is not for programs; the bodies of webhooks are made by package notifier.
package bulletin

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rollcall/models"
)

// Event is one thing that happened to one booking, for one watcher, with the facts of that moment.
type Event struct {
	// ID is that of the event: evt_..., the webhook-id of webhooks.
	ID   string
	Kind models.EventKind
	// At is when the change was detected.
	At time.Time
	// RecordID is that of the booking; Name and County are as the source has them. All three are set, but for a
	// notice that a record is withheld, which has the id alone, and for one about a source, which has Source instead.
	RecordID, Name, County string
	// Dob and BirthYear are what the source stated of the birth: a date, or a year alone. Both nil: it stated none.
	Dob       *models.Date
	BirthYear *int
	BookedAt  time.Time
	// Release is nil while booked.
	Release *models.Release
	Charges []string
	// Bond of a bond change is the new one, and BeforeCents the amount before; nil: it had none.
	Bond        models.Bond
	BeforeCents *int64
	// Watched is the name that the account watches.
	Watched string
	// Reasons are why it matched, in the order of their weight.
	Reasons []string
	// Test marks an event of an invented record.
	Test bool
	// Source is what a notice about a source is about; nil for events of records.
	Source *Source
}

// Fact is a labelled line.
type Fact struct{ Name, Value string }

// Limits of what a text takes from a source. A jail's system may send anything as a name.
const (
	maxName    = 120
	maxCharge  = 200
	maxCharges = 20
)

// did says what happened, for titles.
var did = map[models.EventKind]string{
	models.EventBooking: "Booked", models.EventRelease: "Released", models.EventBondChange: "Bond changed",
	models.EventRetraction: "Release withdrawn", models.EventWithheld: "Record no longer shown",
	models.EventSourceStale: "No data from", models.EventSourceRecovered: "Data is back",
}

// AboutPerson reports whether the event says something of a person. Notices about sources and withheld records do not.
func (e *Event) AboutPerson() bool { return e.Source == nil && e.Kind != models.EventWithheld }

// Title says what happened, to whom and where, in one line. It names no birth, no charges and no bond: titles stand
// in lists and on locked screens.
func (e *Event) Title() string {
	what := did[e.Kind]
	if e.Kind == models.EventRelease && e.Release.Absent() {
		what = "No longer listed"
	}
	if e.Test {
		what = "Test: " + what
	}
	switch {
	case e.Kind == models.EventSourceStale:
		return what + " " + e.Source.where() + ": alerts may be missed"
	case e.Source != nil:
		return what + ": " + e.Source.where()
	case e.Kind == models.EventWithheld:
		return what
	}
	return what + ": " + Line(e.Name, maxName) + ", " + Line(e.County, maxName) + " County"
}

// Happened is the title as a sentence with its time.
func (e *Event) Happened() string {
	switch e.Kind {
	case models.EventBooking:
		return "Booked into the jail of " + Line(e.County, maxName) + " County on " + stated(e.BookedAt) + "."
	case models.EventRelease:
		return e.released()
	case models.EventBondChange:
		return "The bond changed in " + Line(e.County, maxName) + " County."
	case models.EventRetraction:
		return "The jail of " + Line(e.County, maxName) + " County lists this person as in custody. " +
			"An earlier message said that the person was released or no longer listed. That is no longer true."
	case models.EventSourceStale:
		return "rollcall gets no current data from " + e.Source.where() + ". Until it does, someone may be booked or released there " +
			"without an alert to you. Call the jail if you need to know now."
	case models.EventSourceRecovered:
		return "rollcall gets current data from " + e.Source.where() + " again. What happened in between may be missing from your alerts."
	case models.EventWithheld:
		return "A record of an earlier message must not be shown any more. Please delete that message. Its reference is " + Line(e.RecordID, maxName) + "."
	}
	return "Something changed."
}

// Facts are the person's facts at that moment. A withheld record has none.
func (e *Event) Facts() []Fact {
	if e.Source != nil {
		return append(e.Source.facts(), Fact{"Noticed", Time(e.At)})
	}
	if e.Kind == models.EventWithheld {
		return nil
	}
	facts := []Fact{
		{"Person", Line(e.Name, maxName)}, Born(e.Dob, e.BirthYear), {"County", Line(e.County, maxName)}, {"Booked", stated(e.BookedAt)},
	}
	if e.Release != nil {
		facts = append(facts, Release(e.Release))
	}
	facts = append(facts, Fact{"Charges", e.charges()}, e.bond())
	if e.Watched != "" {
		facts = append(facts, Fact{"You watch for", Line(e.Watched, maxName)})
	}
	if len(e.Reasons) > 0 {
		facts = append(facts, Fact{"Why it matched", strings.Join(e.Reasons, "; ")})
	}
	return append(facts, Fact{"Noticed", Time(e.At)}, Fact{"Reference", Line(e.RecordID, maxName)})
}

// charges lists the charges in one line.
func (e *Event) charges() string {
	if len(e.Charges) == 0 {
		return "none stated"
	}
	var out []string
	for i, c := range e.Charges {
		if i == maxCharges {
			out = append(out, strconv.Itoa(len(e.Charges)-i)+" more")
			break
		}
		out = append(out, Line(c, maxCharge))
	}
	return strings.Join(out, "; ")
}

// bond is the bond, and of a bond change the one before beside it.
func (e *Event) bond() Fact {
	f := Bond(e.Bond)
	if e.Kind == models.EventBondChange {
		before := "no amount"
		if e.BeforeCents != nil {
			before = models.Cents(*e.BeforeCents).String()
		}
		f.Value += ", before: " + before
	}
	return f
}

// Bond is a bond in dollars, or why it has no amount.
func Bond(b models.Bond) Fact {
	if b.Cents == nil {
		return Fact{"Bond", string(b.Case)}
	}
	return Fact{"Bond", models.Cents(*b.Cents).String()}
}

// Release is a release, called by how it is known.
func Release(r *models.Release) Fact {
	switch r.Basis {
	case models.ReleaseAbsent:
		return Fact{"No longer listed since", stated(r.At)}
	case models.ReleaseUntimed:
		return Fact{"Released about", stated(r.At)}
	}
	return Fact{"Released", stated(r.At)}
}

// released is the sentence of a release.
func (e *Event) released() string {
	of := "jail of " + Line(e.County, maxName) + " County"
	jail := "the " + of
	switch r := e.Release; {
	case r == nil:
		return "Released from " + jail + "."
	case r.Absent():
		return "The " + of + " no longer lists this person. It did not report a release. If there was one, its estimated time is " + stated(r.At) + "."
	case r.Basis == models.ReleaseUntimed:
		return "Released from " + jail + " about " + stated(r.At) + ". The jail did not report the time."
	default:
		return "Released from " + jail + " on " + stated(r.At) + "."
	}
}

// Born is what a source states of a birth, which tells namesakes apart: the date, or the year alone.
func Born(dob *models.Date, year *int) Fact {
	switch {
	case dob != nil:
		return Fact{"Born", dob.In(time.UTC).Format("Jan 2, 2006")}
	case year != nil:
		return Fact{"Born", strconv.Itoa(*year)}
	}
	return Fact{"Born", "not stated by the jail"}
}

// Caution is what every message about people says.
const Caution = "A match of names may be another person, and a booking is not a conviction. " +
	"Jails report with a delay of 30 to 60 minutes or more. Call the jail before you act on this."

// Fresh says how current what is known of a county is. county is its display name.
func Fresh(county string, f models.Freshness) string {
	name := Line(county, maxName) + " County"
	switch {
	case f.AsOf == nil:
		return name + " has not been read yet."
	case len(f.Stale) > 0:
		return name + " was last read on " + Time(*f.AsOf) + ", which is late: what happened since is not known."
	}
	return name + " was last read on " + Time(*f.AsOf) + "."
}

// Time writes an instant in Georgia's time.
func Time(t time.Time) string {
	return t.In(models.Georgia).Format("Mon, Jan 2, 2006, 3:04 PM MST")
}

// stated writes a time as the jail stated it, which may be a day alone.
func stated(t time.Time) string {
	if models.DayAlone(t) {
		return t.In(models.Georgia).Format("Mon, Jan 2, 2006")
	}
	return Time(t)
}

// Line returns a text as one line of at most most characters: control characters become blanks, and characters
// that turn the direction of writing are dropped, so that a name cannot pretend to be something else.
func Line(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r):
			return -1
		case unicode.IsControl(r) || unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}
