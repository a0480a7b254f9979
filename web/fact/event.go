package fact

import (
	"regexp"

	"rollcall/models"
	"rollcall/web/words"
)

// events are what pages call what happened to a record or a source.
var events = map[models.EventKind]words.Text{
	models.EventBooking: words.T("booked"), models.EventRelease: words.T("released"), models.EventBondChange: words.T("bond changed"),
	models.EventRetraction: words.T("release taken back"), models.EventWithheld: words.T("record withheld"),
	models.EventSourceStale: words.T("county not seen"), models.EventSourceRecovered: words.T("county seen again"),
}

// Event returns what pages call an event.
func Event(kind models.EventKind) words.Text {
	if said, ok := events[kind]; ok {
		return said
	}
	return Word(kind)
}

// Events returns kinds of events in one line.
func Events(kinds []models.EventKind) words.Text {
	said := make([]words.Text, len(kinds))
	for i, kind := range kinds {
		said[i] = Event(kind)
	}
	return words.Join(", ", said...)
}

// Step is from what to what an event changed the bond.
type Step struct{ From, To words.Text }

// StepOf returns the step of an event; nil where it changed no bond, or nothing is known of it.
func StepOf(kind models.EventKind, f *models.EventFacts) *Step {
	if kind != models.EventBondChange || f == nil {
		return nil
	}
	return &Step{Bond(f.BeforeCents), Bond(f.BondCents)}
}

// Bond returns an amount of bond in US cents; nil: none is set.
func Bond(cents *int64) words.Text {
	if cents == nil {
		return words.T("none set")
	}
	return words.Plain(models.Cents(*cents).String())
}

// Reason is a reason of a match or link. But reports whether it speaks against it.
type Reason struct {
	Says words.Text
	But  bool
}

// against finds reasons that speak against, as parts.js does for pages that scripts build.
var against = regexp.MustCompile(`differ|conflict|absent|missing|no part|not `)

// Reasons returns reasons for people, in their order.
func Reasons(all []string) []Reason {
	out := make([]Reason, len(all))
	for i, reason := range all {
		out[i] = Reason{words.Word(reason), against.MatchString(reason)}
	}
	return out
}
