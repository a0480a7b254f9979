package bulletin

import (
	"strconv"
	"strings"
	"time"

	"rollcall/internal/plural"
)

// titleCounties is how many counties a title names. Above that it has their number.
const titleCounties = 3

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
