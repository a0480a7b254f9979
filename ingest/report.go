package ingest

import (
	"fmt"
	"strings"
	"time"

	"rollcall/models"
)

// Report says what a run did, for operators: it holds no personal data.
type Report struct {
	Run         int64                     `json:"run"`
	Source      string                    `json:"source"`
	State       models.RunState           `json:"state"`
	Note        string                    `json:"note,omitempty"` // why it did not go well
	SnapshotAt  time.Time                 `json:"snapshot_at"`
	Complete    bool                      `json:"complete"`
	Doubts      []string                  `json:"doubts"` // why the snapshot is not proven complete
	Documents   int                       `json:"documents"`
	Bytes       int64                     `json:"bytes"`
	Fetched     int                       `json:"fetched"` // rows in the documents
	Parsed      int                       `json:"parsed"`  // rows that became records
	New         int                       `json:"new"`
	Adopted     int                       `json:"adopted"`
	Changed     int                       `json:"changed"`
	Unchanged   int                       `json:"unchanged"`
	Older       int                       `json:"older"`    // rows that speak of an instant before what is known
	Repeated    int                       `json:"repeated"` // the same record again in the snapshot
	Closed      int                       `json:"closed"`
	Reopened    int                       `json:"reopened"`
	Missing     int                       `json:"missing"`
	Withheld    int                       `json:"withheld"` // records that are not published (juveniles)
	Removed     int                       `json:"removed"`  // hearings taken back
	Quarantined int                       `json:"quarantined"`
	Reasons     map[string]int            `json:"reasons"` // of the quarantine, with their fields
	Unknown     map[string]map[string]int `json:"unknown"` // field -> text that no value map knows -> count
	Drift       []string                  `json:"drift"`   // columns that came or went
	Seconds     float64                   `json:"seconds"`
}

// OK tells whether everything that was read became facts.
func (r *Report) OK() bool {
	return (r.State == models.RunOK || r.State == models.RunPartial) && r.Quarantined == 0
}

// String is the report in lines for a terminal.
func (r *Report) String() string {
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
	}{{"adopted", r.Adopted}, {"older than known", r.Older}, {"repeated", r.Repeated}, {"missing", r.Missing}, {"withheld", r.Withheld}, {"hearings taken back", r.Removed}} {
		if more.n > 0 {
			fmt.Fprintf(&b, "  %s %d\n", more.name, more.n)
		}
	}
	for _, line := range countLines(r.Reasons) {
		fmt.Fprintf(&b, "  quarantined: %s\n", line)
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
	fmt.Fprintf(&b, "  %d documents, %.1f MB, %.1f s\n", r.Documents, float64(r.Bytes)/1e6, r.Seconds)
	return b.String()
}
