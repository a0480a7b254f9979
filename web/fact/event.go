package fact

import (
	"rollcall/models"
	"rollcall/web/words"
)

// events are what pages call what happened to a record or a source.
var events = map[models.EventKind]words.Text{
	models.EventBooking: words.T("booked"), models.EventRelease: words.T("released"), models.EventBondChange: words.T("bond changed"),
	models.EventRetraction: words.T("release reversed"), models.EventWithheld: words.T("record withheld"),
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
