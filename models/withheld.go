package models

import "slices"

// WithheldReason is why a record is not published. The zero value is Published. The type withheld_reason of the database has the
// same values in the same order.
type WithheldReason string

// The reasons, in the order in which they hold: a record that several speak against shows the first.
const (
	Published               WithheldReason = ""
	WithheldRestricted      WithheldReason = "restricted"       // a source says so in the place of the name, or an operator
	WithheldJuvenile        WithheldReason = "juvenile"         // the person was under 17, or a source calls them a juvenile
	WithheldVanished        WithheldReason = "vanished"         // the newest complete files lack the record, and nothing says that it ended
	WithheldMaybeRestricted WithheldReason = "maybe restricted" // a source said that it is restricted, and names the person again
	// WithheldMaybeJuvenile is for a year of birth alone less than 18 years before the booking, a flag of a juvenile that was
	// taken back, a case that speaks of a juvenile's booking, and a booking that may be of the person of a withheld one.
	WithheldMaybeJuvenile WithheldReason = "maybe juvenile"
)

var reasons = [...]WithheldReason{WithheldRestricted, WithheldJuvenile, WithheldVanished, WithheldMaybeRestricted, WithheldMaybeJuvenile}

// WithheldReasons returns the reasons in the order in which they hold.
func WithheldReasons() []WithheldReason { return slices.Clone(reasons[:]) }

// Reviewable reports whether an operator may publish a record in spite of the reason.
func (w WithheldReason) Reviewable() bool {
	return w == WithheldVanished || w == WithheldMaybeRestricted || w == WithheldMaybeJuvenile
}

// Over reports whether w comes before another reason.
func (w WithheldReason) Over(other WithheldReason) bool { return w.rank() > other.rank() }

// rank orders the reasons; one that is unknown withholds as the strictest does.
func (w WithheldReason) rank() int {
	if w == Published {
		return 0
	}
	return len(reasons) - max(slices.Index(reasons[:], w), 0)
}

// AdultAge is the age in years from which on the arrest of a person is a public record: Georgia tries people of 17 as adults
// (docs/sources-rules.md, "Juveniles"). The function minor_on of the database has the same rule; a test compares them.
const AdultAge = 17
