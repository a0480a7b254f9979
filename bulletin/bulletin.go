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

	"rollcall/internal/plural"
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
	BookedAt               time.Time
	// ReleasedAt is nil while booked.
	ReleasedAt *time.Time
	Charges    []string
	// BondCents is nil when none is set.
	BondCents *int64
	// Watched is the name that the account watches.
	Watched string
	// Reasons are why it matched, in the order of their weight.
	Reasons []string
	// Test marks an event of an invented record.
	Test bool
	// Source is what a notice about a source is about; nil for events of records.
	Source *Source
}

// Source is a source that became silent or is heard again.
type Source struct {
	Title string
	// Counties are display names; empty: the whole state.
	Counties []string
	// LastRead is when it was last read well; nil: not known.
	LastRead *time.Time
	// Watchers counts the account's alerts that depend on it; 0: not known.
	Watchers int
}

// Fact is a labelled line.
type Fact struct{ Name, Value string }

// Limits of what a text takes from a source. A jail's system may send anything as a name.
const (
	maxName    = 120
	maxCharge  = 200
	maxCharges = 20
	// titleCounties is how many counties a title names. Above that it has their number.
	titleCounties = 3
)

// did says what happened, for titles.
var did = map[models.EventKind]string{
	models.EventBooking: "Booked", models.EventRelease: "Released", models.EventBondChange: "Bond changed",
	models.EventRetraction: "Release withdrawn", models.EventWithheld: "Record no longer shown",
	models.EventSourceStale: "No news", models.EventSourceRecovered: "News again",
}

// AboutPerson reports whether the event says something of a person. Notices about sources and withheld records do not.
func (e *Event) AboutPerson() bool { return e.Source == nil && e.Kind != models.EventWithheld }

// Title says what happened, to whom and where, in one line. It names no charges and no bond: titles stand in
// lists and on locked screens.
func (e *Event) Title() string {
	what := did[e.Kind]
	if e.Test {
		what = "Test: " + what
	}
	switch {
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
		return "Booked into the jail of " + Line(e.County, maxName) + " County on " + Time(e.BookedAt) + "."
	case models.EventRelease:
		if e.ReleasedAt != nil {
			return "Released from the jail of " + Line(e.County, maxName) + " County on " + Time(*e.ReleasedAt) + "."
		}
		return "Released from the jail of " + Line(e.County, maxName) + " County."
	case models.EventBondChange:
		return "The bond changed in " + Line(e.County, maxName) + " County."
	case models.EventRetraction:
		return "An earlier message reported a release. The jail of " + Line(e.County, maxName) + " County lists the person as booked: that release does not hold."
	case models.EventSourceStale:
		return "rollcall does not get current data of " + e.Source.where() + ". What happens there is not noticed until it does: " +
			"no alert does not mean that nobody was booked or released. Call the jail if you need to know now."
	case models.EventSourceRecovered:
		return "rollcall gets current data of " + e.Source.where() + " again. What the jail still lists is noticed now. " +
			"Who was booked and released in between may be missing."
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
	facts := []Fact{{"Person", Line(e.Name, maxName)}, {"County", Line(e.County, maxName)}, {"Booked", Time(e.BookedAt)}}
	if e.ReleasedAt != nil {
		facts = append(facts, Fact{"Released", Time(*e.ReleasedAt)})
	}
	facts = append(facts, Fact{"Charges", e.charges()}, Fact{"Bond", e.bond()})
	if e.Watched != "" {
		facts = append(facts, Fact{"You watch for", Line(e.Watched, maxName)})
	}
	if len(e.Reasons) > 0 {
		facts = append(facts, Fact{"Why it matched", strings.Join(e.Reasons, "; ")})
	}
	return append(facts, Fact{"Noticed", Time(e.At)}, Fact{"Reference", Line(e.RecordID, maxName)})
}

// where names the counties of a source in one line, and one of the whole state by its title.
func (s *Source) where() string {
	switch n := len(s.Counties); {
	case n == 0:
		return Line(s.Title, maxName)
	case n > titleCounties:
		return plural.Of(n, "county", "counties")
	case n > 1:
		return s.names() + " counties"
	}
	return s.names() + " County"
}

// names lists the counties of a source.
func (s *Source) names() string {
	out := make([]string, len(s.Counties))
	for i, c := range s.Counties {
		out[i] = Line(c, maxName)
	}
	return strings.Join(out, ", ")
}

// facts are what is known of a source.
func (s *Source) facts() []Fact {
	counties := "all"
	if len(s.Counties) > 0 {
		counties = s.names()
	}
	facts := []Fact{{"Source", Line(s.Title, maxName)}, {"Counties", counties}}
	if s.LastRead != nil {
		facts = append(facts, Fact{"Last read", Time(*s.LastRead)})
	}
	if s.Watchers > 0 {
		facts = append(facts, Fact{"Alerts that depend on it", strconv.Itoa(s.Watchers)})
	}
	return facts
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

// bond is the bond in dollars.
func (e *Event) bond() string {
	if e.BondCents == nil {
		return "none stated"
	}
	return "$" + models.Cents(*e.BondCents).Decimal()
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
