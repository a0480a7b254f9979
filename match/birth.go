package match

import (
	"rollcall/match/internal/birth"
)

// Birth is what is known of a date of birth. Year 0 means nothing; Month and Day 0 mean that only the year is known.
type Birth = birth.Date

// ParseBirth reads YYYY-MM-DD or YYYY; a day or month 00 leaves the year. Anything else is an unknown birth, dates
// before 1900 and impossible ones included: a wrong birth would veto a right link.
func ParseBirth(s string) Birth { return birth.Parse(s) }
