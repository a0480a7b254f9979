package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/fetch"
	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// Report says what a run did, for operators: it holds no personal data.
type Report struct {
	Run            int64                     `json:"run"`                  // its id
	Source         string                    `json:"source"`               // its id
	ReplayOf       int64                     `json:"replay_of,omitempty"`  // the run whose documents were read again
	State          source.RunState           `json:"state"`                // how it ended
	Note           string                    `json:"note,omitempty"`       // why it did not go well
	SnapshotAt     time.Time                 `json:"snapshot_at"`          // the instant that the data describe
	Complete       bool                      `json:"complete"`             // proven complete: absence was read
	Unreadable     []string                  `json:"unreadable,omitempty"` // files that were left out of a source that reports changes, with the reason
	Doubts         []string                  `json:"doubts"`               // why the snapshot is not proven complete
	Transport      fetch.Evidence            `json:"transport,omitzero"`   // what the transport proves of completeness
	Documents      int                       `json:"documents"`            // that were read
	Bytes          int64                     `json:"bytes"`                // of all documents
	Fetched        int                       `json:"fetched"`              // rows in the documents
	Parsed         int                       `json:"parsed"`               // rows that became records
	New            int                       `json:"new"`                  // records made
	Adopted        int                       `json:"adopted"`              // bookings of a takeover, another source or another key, recognised
	Changed        int                       `json:"changed"`              // records of which a fact changed
	Unchanged      int                       `json:"unchanged"`            // rows that only repeat what is known
	Older          int                       `json:"older"`                // rows that speak of an instant before what is known
	Repeated       int                       `json:"repeated"`             // the same record again in the snapshot
	Closed         int                       `json:"closed"`               // released, stated or by absence
	Reopened       int                       `json:"reopened"`             // released before, and in jail again
	Missing        int                       `json:"missing"`              // absent, and not closed by this snapshot
	Withheld       int                       `json:"withheld"`             // records that are not published (juveniles)
	Removed        int                       `json:"removed"`              // hearings taken back
	Quarantined    int                       `json:"quarantined"`          // rows that could not be taken
	QuarantinedNew int                       `json:"quarantined_new"`      // different ones of them that were not in quarantine before
	Pending        int                       `json:"awaiting,omitempty"`   // rows that wait for the court case that they are a part of, or the booking that they release
	Reasons        map[string]int            `json:"reasons"`              // of the quarantine, with their fields
	Unknown        map[string]map[string]int `json:"unknown"`              // field -> text that no value map knows -> count
	Dropped        map[string]int            `json:"dropped"`              // values left out of rows that are facts without them, by field and reason
	Drift          []string                  `json:"drift"`                // columns that came or went
	Resolved       int                       `json:"resolved,omitempty"`   // rows that are facts now: of the replayed run those in quarantine, and those that waited for a case or booking of this one
	Seconds        float64                   `json:"seconds"`              // that it took

	Counties []*Report `json:"counties,omitempty"` // of a source whose rows name their county: how each of them went
	Files    []string  `json:"files,omitempty"`    // of a county: the documents that have rows of it
	Part     string    `json:"part,omitempty"`     // why not all counties were applied

	Standing bool `json:"standing,omitempty"` // held by a hold that stood already: read after it, of a source that reports only changes

	releases bool  // those that wait are releases
	aside    []int // the documents that were left out
}

// newReport begins the report of a run. Its lists and maps are empty, not nil, as commands print it as JSON.
func newReport(run int64, id string) *Report {
	return &Report{Run: run, Source: id, State: source.RunOK, Doubts: []string{}, Reasons: map[string]int{}, Unknown: map[string]map[string]int{}, Dropped: map[string]int{}, Drift: []string{}}
}

// OK reports whether all was taken: every row became a fact and, where the source lists everybody, absence was read.
func (r *Report) OK() bool {
	return r.State == source.RunOK && r.Quarantined == 0
}

// applied reports whether what the run read was written to the records.
func (r *Report) applied() bool { return r.State == source.RunOK || r.State == source.RunPartial }

// lacks says in one line why what was applied is not all that it could be.
func (r *Report) lacks() string {
	lacks := slices.Clone(r.Unreadable)
	if len(r.Doubts) > 0 {
		lacks = append(lacks, "absence is not read: "+strings.Join(r.Doubts, ", "))
	}
	if r.Quarantined > 0 {
		lacks = append(lacks, models.NoteQuarantined(r.Quarantined))
	}
	if r.Pending > 0 {
		lacks = append(lacks, r.awaits())
	}
	return strings.Join(lacks, "; ")
}

// mostOf is the share of rows, as one in so many, that may be taken while one reason still explains why a snapshot is not believed.
const mostOf = 10

// first puts what is wrong before a reason of a hold that only follows from it: nearly no row could be taken, all for one reason.
func (r *Report) first(reason string) string {
	for why, n := range r.Reasons {
		if r.Fetched > 0 && n >= r.Fetched-r.Fetched/mostOf {
			return fmt.Sprintf("%d of %s could not be taken: %s; %s", n, plural.Of(r.Fetched, "row"), strings.Replace(why, ": ", " ", 1), reason)
		}
	}
	return reason
}

// awaits returns a sentence on how many rows wait for their case, or releases for their booking.
func (r *Report) awaits() string {
	if r.releases {
		return plural.Of(r.Pending, "release") + " " + plural.Word(r.Pending, "waits for its booking", "wait for their bookings") + ", which no file has shown yet"
	}
	return plural.Of(r.Pending, "row") + " " + plural.Word(r.Pending, "waits for its case", "wait for their cases") + ", which no file has shown yet"
}

// String is the report in lines for a terminal.
func (r *Report) String() string {
	if r.Run == 0 {
		return fmt.Sprintf("%s: %s\n", r.Source, r.Note)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s run %d: %s, snapshot of %s", r.Source, r.Run, r.State, r.SnapshotAt.In(models.Georgia).Format("2006-01-02 15:04:05 MST"))
	if r.Complete {
		b.WriteString(", complete")
	}
	fmt.Fprintf(&b, "\n  fetched %d  parsed %d  new %d  changed %d  unchanged %d  closed %d  reopened %d  quarantined %d\n",
		r.Fetched, r.Parsed, r.New, r.Changed, r.Unchanged, r.Closed, r.Reopened, r.Quarantined)
	for _, more := range []struct {
		name string
		n    int
	}{{"adopted", r.Adopted}, {"older than known", r.Older}, {"repeated", r.Repeated}, {"missing", r.Missing}, {"withheld", r.Withheld}, {"hearings taken back", r.Removed}, {"waiting for their case or booking", r.Pending}, {"resolved", r.Resolved}} {
		if more.n > 0 {
			fmt.Fprintf(&b, "  %s %d\n", more.name, more.n)
		}
	}
	for _, line := range countLines(r.Reasons) {
		fmt.Fprintf(&b, "  quarantined: %s\n", line)
	}
	for _, line := range countLines(r.Dropped) {
		fmt.Fprintf(&b, "  value left out: %s\n", line)
	}
	for field, said := range r.Unknown {
		for _, line := range countLines(said) {
			fmt.Fprintf(&b, "  unknown value of %s: %s\n", field, line)
		}
	}
	for _, doubt := range r.Doubts {
		fmt.Fprintf(&b, "  not complete: %s\n", doubt)
	}
	for _, drift := range r.Drift {
		fmt.Fprintf(&b, "  drift: %s\n", drift)
	}
	if r.Note != "" {
		fmt.Fprintf(&b, "  %s\n", r.Note)
	}
	fmt.Fprintf(&b, "  %s, %.1f MB, %.1f s\n", plural.Of(r.Documents, "document"), float64(r.Bytes)/1e6, r.Seconds)
	return b.String()
}

// take copies what the tables counted.
func (r *Report) take(a snapshot.Applied) {
	r.Parsed, r.New, r.Adopted, r.Changed, r.Unchanged, r.Older, r.Repeated = a.Rows, a.New, a.Adopted, a.Changed, a.Unchanged, a.Older, a.Repeated
	r.Closed, r.Reopened, r.Missing, r.Withheld, r.Removed = a.Closed, a.Reopened, a.Missing, a.Withheld, a.Removed
	r.Pending += a.Pending
	r.Resolved += a.Resolved
}

// part joins the report of a county: counts are summed.
func (r *Report) part(c *Report) {
	r.Counties = append(r.Counties, c)
	for _, p := range []struct{ into, from *int }{
		{&r.Parsed, &c.Parsed},
		{&r.New, &c.New},
		{&r.Adopted, &c.Adopted},
		{&r.Changed, &c.Changed},
		{&r.Unchanged, &c.Unchanged},
		{&r.Older, &c.Older},
		{&r.Repeated, &c.Repeated},
		{&r.Closed, &c.Closed},
		{&r.Reopened, &c.Reopened},
		{&r.Missing, &c.Missing},
		{&r.Withheld, &c.Withheld},
		{&r.Removed, &c.Removed},
		{&r.Pending, &c.Pending},
		{&r.Resolved, &c.Resolved},
	} {
		*p.into += *p.from
	}
	for _, doubt := range c.Doubts {
		if !slices.Contains(r.Doubts, doubt) {
			r.Doubts = append(r.Doubts, doubt)
		}
	}
}

// add joins the report of one more snapshot: counts are summed, and state and note are those of the first that did
// not go well.
func (r *Report) add(next *Report, of int) {
	// The report of a single snapshot stays whole, with what cannot be summed.
	if of == 1 || r.Run == 0 {
		*r = *next
		return
	}
	sum := *next
	if r.State != source.RunOK {
		sum.State, sum.Note = r.State, r.Note
	}
	for _, p := range []struct{ into, from *int }{
		{&sum.Documents, &r.Documents},
		{&sum.Fetched, &r.Fetched},
		{&sum.Parsed, &r.Parsed},
		{&sum.New, &r.New},
		{&sum.Adopted, &r.Adopted},
		{&sum.Changed, &r.Changed},
		{&sum.Unchanged, &r.Unchanged},
		{&sum.Older, &r.Older},
		{&sum.Repeated, &r.Repeated},
		{&sum.Closed, &r.Closed},
		{&sum.Reopened, &r.Reopened},
		{&sum.Missing, &r.Missing},
		{&sum.Withheld, &r.Withheld},
		{&sum.Removed, &r.Removed},
		{&sum.Quarantined, &r.Quarantined},
		{&sum.QuarantinedNew, &r.QuarantinedNew},
		{&sum.Pending, &r.Pending},
		{&sum.Resolved, &r.Resolved},
	} {
		*p.into += *p.from
	}
	sum.Bytes += r.Bytes
	sum.Seconds += r.Seconds
	for reason, n := range r.Reasons {
		sum.Reasons[reason] += n
	}
	for what, n := range r.Dropped {
		sum.Dropped[what] += n
	}
	sum.Doubts = append(slices.Clone(r.Doubts), sum.Doubts...)
	sum.Unreadable = append(slices.Clone(r.Unreadable), sum.Unreadable...)
	sum.Counties = append(slices.Clone(r.Counties), sum.Counties...)
	*r = sum
}

// countLines returns "what (n)" for each count, by name.
func countLines(counts map[string]int) []string {
	lines := make([]string, 0, len(counts))
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%s (%d)", what, counts[what]))
	}
	return lines
}

// TouchesLinks reports whether a run may have changed who is linked with whom.
// The linking job follows such a run alone: most runs change nothing of it.
func (r *Report) TouchesLinks() bool {
	return r.New+r.Adopted+r.Changed+r.Missing+r.Withheld > 0
}
