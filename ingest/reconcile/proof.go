package reconcile

import (
	"fmt"
	"strings"
	"time"

	"rollcall/internal/plural"
	"rollcall/models"
)

// Evidence is what a run knows about its snapshot when everything is read.
type Evidence struct {
	Lists       bool     // the source lists everybody (or everybody of a window), so absence means something
	Transport   []string // why not all of it may have been read
	Fewer       string   // why files of it may be missing, or nothing
	Paged       int      // rows that were counted on its pages; 0: none were
	Rows        int      // read, bad ones included
	Scope       int      // of these, those of the scope: of a source of one county all
	Staged      int      // good ones
	Repeated    int      // keys that came more than once: rows moved between pages while they were read
	Slips       int      // rows that came again as they were in the same document
	Untaken     int      // bad ones
	Unnamed     int      // bad rows that do not even tell whom they speak of
	NeedTotal   bool
	Total       *int // declared
	Lines       int  // what it counts where that is lines, which may be more than Rows; 0: Rows
	NeedMarker  bool
	Marker      bool
	HeaderPrint string
	Proves      bool     // the source shows by itself that nobody is missing
	MinRows     int      // 0: the document does not say
	Shrink      float64  // greatest share of rows that may be gone
	Strange     []string // names of values that were in no row before and that the document does not know
	Lost        []string // fields that are in no row any more
	Blind       []string // what told who is too young to be published, and is gone
	HoldDrift   bool     // a changed header holds the source
	At          time.Time
}

// Past is what is known of the last complete snapshot of the source.
type Past struct {
	Rows        *int
	Day         *int // the most rows that a complete one of the day before this one had; nil: there is none
	HeaderPrint *string
	At          *time.Time
	Held        bool
	Approved    bool // an operator released it, or wants to know what that would do
}

// StandingHold is why nothing of a snapshot is applied while a hold stands.
const StandingHold = "the source is held; look at it, then release it"

// driftDoubt lasts until the columns are as before, or an operator accepted them.
const driftDoubt = "the columns are others than those that are known; when the document fits them: rollcall sources accept"

// shrinkSlack is how many rows may always go: in a jail of ten, three releases are an ordinary day.
const shrinkSlack = 3

// daySlack is the same for all of a day: a lock-up that was full in the evening is nearly empty the next noon.
const daySlack = 10

// Prove tells whether a snapshot may close bookings, whether it must be held, and why not complete
// (FEEDS.md, guarantee 4). Reasons are for operators; they hold no personal data.
func Prove(e Evidence, past Past) (v models.Verdict, doubts []string) {
	v, doubts = prove(e, past)
	if hold := strange(e, past); hold != "" {
		v = models.Verdict{Hold: hold}
	}
	return v, doubts
}

// strange tells why a snapshot is held whatever its rows are, or nothing.
func strange(e Evidence, past Past) string {
	switch {
	case past.Approved:
		return ""
	case past.Held:
		return StandingHold
	case len(e.Blind) > 0:
		return blindHold(e.Blind)
	case !e.HoldDrift:
		return ""
	case len(e.Lost) > 0:
		return strings.Join(e.Lost, ", ")
	case len(e.Strange) > 0:
		return strings.Join(e.Strange, ", ") + "; when the document fits: rollcall sources release"
	case drifted(e, past):
		return "the columns changed since the last run"
	default:
		return ""
	}
}

// drifted tells whether the columns are others.
func drifted(e Evidence, past Past) bool {
	return past.HeaderPrint != nil && e.HeaderPrint != "" && e.HeaderPrint != *past.HeaderPrint
}

// prove is Prove of the rows.
func prove(e Evidence, past Past) (v models.Verdict, doubts []string) {
	doubt := func(when bool, format string, args ...any) {
		if when {
			doubts = append(doubts, fmt.Sprintf(format, args...))
		}
	}
	drift := drifted(e, past)
	doubt(len(e.Lost) > 0, "%s; when that is right: rollcall sources accept", strings.Join(e.Lost, ", "))
	if !e.Lists {
		doubt(drift, driftDoubt)
		return models.Verdict{}, doubts
	}
	late := past.At != nil && e.At.Before(*past.At)
	shrank := shrunk(e, past)
	doubt(drift, driftDoubt)
	doubts = append(doubts, e.Transport...)
	doubt(e.Fewer != "", "%s", e.Fewer)
	// A jail can be empty: where the end of the list is proven, and somebody was in it before, that waits for an operator.
	empty := e.Rows == 0 && e.MinRows == 0 && e.Proves && (past.Rows != nil || past.Approved)
	doubt(e.Rows < max(1, e.MinRows) && !empty, "%s fewer than %d", plural.Of(e.Rows, "row is", "rows are"), max(1, e.MinRows))
	doubt(e.NeedTotal && e.Total == nil, "it declares no total")
	counted := max(e.Rows, e.Lines)
	doubt(e.Paged > 0 && e.Paged != counted, "its pages have %s and %d could be told apart", plural.Of(e.Paged, "row"), counted)
	doubt(e.NeedTotal && e.Total != nil && *e.Total != counted && *e.Total != counted-e.Slips, "it declares %s and has %d", declared(e.Total), counted)
	doubt(e.NeedTotal && e.Total != nil && *e.Total == counted && e.Slips > 0, "it declares %s and %d of them came twice, so others may be missing", declared(e.Total), e.Slips)
	doubt(e.NeedMarker && !e.Marker, "its end is missing")
	doubt(e.Repeated > 0, "%s came twice, so others may be missing", plural.Of(e.Repeated, "row"))
	doubt(e.Unnamed > 0, "%s could not be read at all", plural.Of(e.Unnamed, "row"))
	doubt(TooMany(e.Untaken, e.Untaken+e.Staged), "%s", UntakenDoubt(e.Untaken, e.Untaken+e.Staged))
	doubt(shrank != "" && late, "it is older than the last one and much smaller")
	// A snapshot that is broken anyway closes nobody; one that looks whole but lost too many waits.
	if shrank != "" && !late && len(doubts) == 0 {
		return models.Verdict{Hold: shrank}, nil
	}
	return models.Verdict{Complete: len(doubts) == 0}, doubts
}

// shrunk says how far a snapshot shrank that shrank too far: since the last complete one, or by small steps since the
// largest of a day. Empty: it did not.
func shrunk(e Evidence, past Past) string {
	below := func(rows *int, slack int) bool {
		return rows != nil && *rows-e.Scope > slack && float64(e.Scope) < float64(*rows)*(1-e.Shrink)
	}
	switch {
	case below(past.Rows, shrinkSlack), past.Rows != nil && *past.Rows > 0 && e.Scope == 0:
		return fmt.Sprintf("it shrank from %d to %s", *past.Rows, plural.Of(e.Scope, "row"))
	case below(past.Day, daySlack):
		return fmt.Sprintf("it shrank from %d to %s within a day", *past.Day, plural.Of(e.Scope, "row"))
	default:
		return ""
	}
}

// untakenShare and untakenSlack bound the rows of a complete snapshot that could not be taken. Who is
// behind a few is spared by key and name; of many, the columns themselves are in doubt.
const (
	untakenShare = 0.05
	untakenSlack = 1
)

// TooMany tells whether so many of a snapshot's rows could not be taken that it proves no absence.
func TooMany(untaken, rows int) bool {
	return untaken > untakenSlack && float64(untaken) > float64(rows)*untakenShare
}

// UntakenDoubt is the reason for operators.
func UntakenDoubt(untaken, rows int) string {
	return fmt.Sprintf("%d of %s could not be taken", untaken, plural.Of(rows, "row"))
}

func declared(n *int) string {
	if n == nil {
		return "no rows"
	}
	return plural.Of(*n, "row")
}
