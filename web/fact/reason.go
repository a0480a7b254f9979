package fact

import (
	"regexp"

	"rollcall/web/words"
)

// Reason is a reason of a match or link. But reports whether it speaks against it.
type Reason struct {
	Says words.Text
	But  bool
}

// against finds reasons that speak against: static/parts.js has the same for what scripts build.
var against = regexp.MustCompile(`differ|conflict|absent|missing|no part|not |one side only|at most|many people`)

// Listed returns reasons in one line.
func Listed(all []string) words.Text {
	said := make([]words.Text, len(all))
	for i, reason := range all {
		said[i] = words.Said(reason)
	}
	return words.Join("; ", said...)
}

// Reasons returns reasons for people, in their order.
func Reasons(all []string) []Reason {
	out := make([]Reason, len(all))
	for i, reason := range all {
		out[i] = Reason{words.Said(reason), against.MatchString(reason)}
	}
	return out
}
