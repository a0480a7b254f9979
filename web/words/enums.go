package words

// EnumeratedFile is the name under which en.json lists the words of enumerations.
const EnumeratedFile = "enumerated"

// Enumerated are words of enumerations that pages print with the function word: roles, levels, states, statuses and kinds. They are
// what the interfaces for programs call these things, in small letters. Then the reasons of links that name nothing (package
// match). The last line is how errors name fields (page/words.go).
var Enumerated = []string{
	"owner", "member", "operator",
	"strict", "normal", "wide",
	"booked", "released", "pending", "warrant", "closed", "incarcerated", "paroled", "unknown",
	"superior", "state", "magistrate", "warrants",
	"sex offender", "parolee", "offender",
	"felony", "misdemeanor",
	"roster", "courts", "corrections",
	"ok", "late", "down", "held", "refused", "retired", "partial", "failed", "running", "retryable", "scheduled", "available", "cancelled", "completed", "discarded",
	"high", "medium", "low", "uncertain", "confirmed", "dismissed", "assigned", "read", "unread", "delivered", "dropped", "waiting",
	"cash", "surety", "property", "either",
	"paused", "active", "failing", "disabled",
	"surname agrees",
	"first name agrees",
	"middle name agrees",
	"middle initial agrees",
	"suffix agrees",
	"first name agrees with an initial",
	"surname agrees, written together or apart",
	"one of two surnames agrees, the other is absent",
	"no part of the surnames agrees",
	"middle name differs",
	"birth date agrees",
	"birth year agrees",
	"birth year agrees, day unknown on one side",
	"one part of the birth date differs",
	"birth date not compared, the alert has none: a namesake is possible",
	"birth date not compared, the record has none: a namesake is possible",
	"same county",
	"offense agrees with a charge",
	"the e-mail", "The e-mail", "the birth date", "The birth date", "the year of birth", "The year of birth", "the day of the age", "The day of the age",
}
