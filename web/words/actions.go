package words

// Acted are the beginnings of actions, which the filter of a trail offers.
var Acted = []string{"alert", "calendar address", "deliver", "e-mail address", "e-mail endpoint", "hit", "invitation", "key", "member", "new-password link", "passkey", "password", "request bin", "sign", "webhook"}

// Operated are those of operators.
var Operated = []string{"incident", "job", "merge", "quarantined rows", "record", "report", "request to remove a photograph", "source", "withheld records"}

// Actions are what the trails of accounts say was done. The file of a trail keeps them in English, and so does the filter.
var Actions = []string{
	"alert created", "alert changed", "alert paused", "alert resumed", "alert deleted",
	"alerts imported", "alerts changed", "alerts paused", "alerts resumed", "alerts deleted",
	"hit confirmed", "hit marked as not them", "hit answer undone", "hit assigned",
	"webhook added", "webhook changed", "webhook paused", "webhook resumed", "webhook enabled", "webhook tested", "webhook deleted",
	"request bin created", "request bin changed", "delivery sent again", "deliveries sent again",
	"e-mail endpoint added", "e-mail endpoint changed", "e-mail endpoint paused", "e-mail endpoint tested", "e-mail endpoint deleted",
	"e-mail endpoint asked to confirm",
	"key created", "key regenerated", "old key kept for 1 hour", "old key kept for 1 day",
	"old key kept for 7 days", "key revoked",
	"calendar address created", "calendar address ended",
	"member invited", "invitation created", "member removed", "password changed", "new-password link created", "sign-in link created",
	"e-mail address confirmed", "e-mail address unsubscribed",
	"webhook secret shown", "webhook secret rotation started", "webhook secret rotation finished", "webhook secret rotation cancelled",
	"withheld records: show the names", "record: publish", "record: keep hidden", "record: hide again", "record: withhold", "merge undone",
	"record reported as another person’s", "report: not the same person", "report: same person", "report: undo",
	"request to remove a photograph noted", "request to remove a photograph granted", "request to remove a photograph declined",
	"source: retry", "source: read now", "source: start the schedule", "source: stop the schedule", "source: hold", "source: release the source",
	"source: release: the jail renumbered its list", "source: undo the release", "source: discard the held data", "source document: save",
	"source document: restore this version",
	"quarantined rows: show the text", "quarantined rows: ignore until they change", "quarantined rows: stop ignoring",
	"job run again", "job cancelled", "jobs run again", "jobs cancelled", "incident: publish the incident",
	"incident: publish the update", "incident: publish the update, ended",
	"passkey added", "passkey removed", "account changed", "account suspended", "account resumed",
}
