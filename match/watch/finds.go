package watch

import "rollcall/match"

// Meant is whom a watcher is for, and how sure it has to be.
type Meant struct {
	Name string
	// County reports whether only the bookings of one county count.
	County bool
	// Born is the zero Birth where none is known.
	Born  match.Birth
	Level match.Level
}

// Finds reports whether a watcher can find anybody: whether the name itself, booked last name first and with the same birth,
// reaches its level. The best that a jail can write is not enough for the others.
func (m Meant) Finds() bool {
	name := match.ParseWatched(m.Name, m.County)
	for _, booked := range name.AsBooked() {
		if match.CompareWatched(&name, &booked, m.Born, m.Born).Probability >= m.Level.From(&name) {
			return true
		}
	}
	return false
}

// Remedy is a change that lets a watcher find somebody.
type Remedy uint8

// The remedies, the mildest first. A fuller name is one always.
const (
	AddYear Remedy = iota
	AddDate
	AddCounty
	ChooseWide
)

// Any birth does: what counts is how well it is known.
var (
	someYear = match.ParseBirth("1980")
	someDate = match.ParseBirth("1980-02-03")
)

// Remedies returns which changes would let a watcher find somebody that cannot, each by itself.
func (m Meant) Remedies() []Remedy {
	var out []Remedy
	for remedy, changed := range []Meant{
		AddYear:    {m.Name, m.County, someYear, m.Level},
		AddDate:    {m.Name, m.County, someDate, m.Level},
		AddCounty:  {m.Name, true, m.Born, m.Level},
		ChooseWide: {m.Name, m.County, m.Born, match.Wide},
	} {
		if changed != m && changed.Finds() {
			out = append(out, Remedy(remedy))
		}
	}
	return out
}
