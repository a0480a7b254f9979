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

// EventOf is the same of an event whose facts are known: a release that nobody reported is not told as a fact.
func EventOf(kind models.EventKind, f *models.EventFacts) words.Text {
	if kind == models.EventRelease && f != nil && f.Release().Absent() {
		return words.T("no longer listed")
	}
	return Event(kind)
}

// tones are the tones of events.
var tones = map[models.EventKind]string{models.EventBooking: "booked", models.EventRelease: "released", models.EventBondChange: "accent"}

// Happened is an event as a chip.
func Happened(kind models.EventKind, f *models.EventFacts) Chip {
	return Chip{EventOf(kind, f), tones[kind]}
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
	return &Step{amountOf(f.BeforeCents), amountOf(f.BondCents)}
}

// amountOf is an amount of bond before or after a change. Why there is none is not kept with a change.
func amountOf(cents *int64) words.Text {
	if cents == nil {
		return words.T("no amount")
	}
	return words.Plain(models.Cents(*cents).String())
}
