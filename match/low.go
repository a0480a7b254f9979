package match

import (
	"rollcall/match/internal/birth"
)

// Who states the birth of one side of a link, in the words of reasons.
const (
	jail        = "the jail"
	stateRecord = "the state record"
	court       = "the court"
)

// onlyCorroborated is the rule of docs/matching.md that keeps most links of cases low.
const onlyCorroborated = "low confidence at most: no birth date or booking number agrees"

// whyLow returns what keeps a link from being surer than low, where the reasons do not show it: what was not compared,
// or that others may have the name. a and b name who states the births.
func (t trial) whyLow(bornA, bornB Birth, a, b string) []string {
	switch {
	case t.birth == birth.Unknown:
		return []string{"birth date not compared: " + silent(bornA, bornB, a, b)}
	case !t.conflict && t.probability() < mediumProbability:
		return []string{"many people may have this name"}
	}
	return nil
}

// silent names who states no birth that could be compared.
func silent(bornA, bornB Birth, a, b string) string {
	switch {
	case bornA.Year == 0 && bornB.Year == 0:
		return "neither " + a + " nor " + b + " states one"
	case bornA.Year == 0:
		return a + " states none"
	}
	return b + " states none"
}
