package models

// Withheld is why a record is not published. The zero value is Published.
type Withheld string

// The reasons, in the order in which they hold: a record that several speak against shows the first.
const (
	Published             Withheld = ""
	WithheldRestricted    Withheld = "restricted"     // an order says so
	WithheldJuvenile      Withheld = "juvenile"       // the person was under 17, or a source calls them a juvenile
	WithheldVanished      Withheld = "vanished"       // the newest complete files lack the record, and nothing says that it ended
	WithheldMaybeJuvenile Withheld = "maybe juvenile" // what is known leaves open whether the person is a juvenile
)

// Reviewable reports whether an operator may publish a record in spite of the reason.
func (w Withheld) Reviewable() bool {
	return w == WithheldVanished || w == WithheldMaybeJuvenile
}

// Over reports whether w comes before another reason.
func (w Withheld) Over(other Withheld) bool { return w.rank() > other.rank() }

// rank orders the reasons; one that is unknown withholds as the strictest does.
func (w Withheld) rank() int {
	switch w {
	case Published:
		return 0
	case WithheldMaybeJuvenile:
		return 1
	case WithheldVanished:
		return 2
	case WithheldJuvenile:
		return 3
	default:
		return 4
	}
}
