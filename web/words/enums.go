package words

// Enumerated are words of enumerations that pages print with the function word: roles, plans, levels, states, statuses and kinds.
// They are what the interfaces for programs call these things, in small letters.
var Enumerated = []string{
	"owner", "member", "operator",
	"strict", "normal", "wide",
	"booked", "released", "pending", "warrant", "closed", "incarcerated", "paroled", "unknown",
	"superior", "state", "magistrate", "municipal", "probate", "juvenile", "federal",
	"sex offender", "parolee", "inmate", "offender",
	"felony", "misdemeanor", "ordinance",
	"roster", "courts", "corrections",
	"ok", "late", "down", "held", "refused", "retired", "partial", "failed", "running", "retryable", "scheduled", "available", "cancelled", "completed", "discarded",
	"paused", "active", "failing", "disabled",
	"Enterprise", "Professional", "Free", "Starter", "Basic", "Enterprise (suspended)",
}
