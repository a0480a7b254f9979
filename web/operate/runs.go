package operate

import (
	"maps"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/words"
)

// runLine is a run with the counts of its report.
type runLine struct {
	*source.Run
	Counts struct {
		Fetched, Parsed, Older, New, Changed, Closed, Reopened, Missing, Quarantined int
		Complete                                                                     bool
		Doubts, Drift, Unreadable                                                    []string
		Part                                                                         string
		Seconds                                                                      float64
		// Nil: the run is of a version that did not count them.
		QuarantinedNew *int `json:"quarantined_new"`
	}
	// Again means that the run was held, and that a retry of it may apply something.
	Again bool
	// Ignored means that all of its rows that could not be taken are ignored until they change.
	Ignored bool
}

// allIgnored reports whether a note says no more than that rows are in quarantine while all rows there are ignored.
func allIgnored(note string, waiting, ignored int) bool {
	return waiting == 0 && ignored > 0 && models.OnlyQuarantined(note)
}

// Why says why the run did not go well.
func (l runLine) Why() words.Text {
	switch {
	case l.Note == nil:
		return nil
	case l.Ignored:
		return words.T("{1 row is|rows are} ignored", l.Counts.Quarantined)
	}
	return words.Said(*l.Note)
}

// sortRuns says of each run what the page knows besides.
func (b *sourceBody) sortRuns() {
	for i := range b.Runs {
		r := &b.Runs[i]
		r.Again = b.HeldSince == nil && r.State == source.RunHeld && !overtaken(b.Runs[:i], r.ID, b.WholeSince != nil)
		r.Ignored = r.Note != nil && r.Counts.Quarantined <= b.Ignored && allIgnored(*r.Note, b.Waiting, b.Ignored)
	}
}

// overtaken reports whether nothing of a held run is news any more: it was read again and applied, or a newer list of a source that
// lists everybody was. later are the runs after it.
func overtaken(later []runLine, id int64, whole bool) bool {
	return slices.ContainsFunc(later, func(r runLine) bool {
		again := r.ReplayOf != nil && *r.ReplayOf == id
		return r.Applied() && (again || whole && r.Counts.Complete)
	})
}

// Outcome returns the run's state. It is "old" for one that went well and brought only what is older than what is known,
// "known" for one that lacks only rows that were in quarantine before: nobody has to look at it, and "cancelled" for one that an
// operator cancelled.
func (l runLine) Outcome() string {
	if c := &l.Counts; l.State == source.RunPartial && c.Quarantined > 0 && c.QuarantinedNew != nil && *c.QuarantinedNew == 0 &&
		c.Part == "" && len(c.Doubts) == 0 && len(c.Unreadable) == 0 {
		return "known"
	}
	if l.State == source.RunFailed && l.Note != nil && *l.Note == source.NoteCancelled {
		return "cancelled"
	}
	if l.State == source.RunOK && l.Counts.Older > 0 && l.Counts.Older == l.Counts.Parsed {
		return "old"
	}
	return string(l.State)
}

// Applied reports whether what the run read was applied, so that its counts say something.
func (l runLine) Applied() bool { return l.State == source.RunOK || l.State == source.RunPartial }

// outcomes are the words for outcomes whose own word does not say enough.
var outcomes = map[string]words.Text{"old": words.T("nothing newer"), "known": words.T("OK (known bad rows)")}

// outcomeWords returns how a run ended as people say it.
func outcomeWords(state string) words.Text {
	if said := outcomes[state]; len(said) > 0 {
		return said
	}
	return words.Word(state)
}

// runMark is a run in the strip of the last ones.
type runMark struct {
	State string
	Says  words.Text
}

// Strip returns the last runs, oldest first.
func (b *sourceBody) Strip() []runMark {
	out := make([]runMark, 0, len(b.Runs))
	for _, r := range slices.Backward(b.Runs) {
		out = append(out, runMark{State: r.Outcome(), Says: words.Join(", ", outcomeWords(r.Outcome()), words.When(r.Started))})
	}
	return out
}

// runTable is a table of some of the runs.
type runTable struct {
	Source string
	Label  words.Text
	Runs   []runLine
	Now    time.Time
}

// runsFirst is how many runs the page of a source shows at first; the others are folded.
const runsFirst = 8

// Table returns the newest runs.
func (b *sourceBody) Table() runTable {
	return runTable{Source: b.ID, Label: words.T("Runs"), Runs: b.Runs[:min(runsFirst, len(b.Runs))], Now: b.Now}
}

// Older returns the runs that are unfolded below them; nil: there are no more.
func (b *sourceBody) Older() *runTable {
	if len(b.Runs) <= runsFirst {
		return nil
	}
	return &runTable{Source: b.ID, Label: words.T("Older runs"), Runs: b.Runs[runsFirst:], Now: b.Now}
}

// Outcomes counts the last runs by how they ended, in words.
func (b *sourceBody) Outcomes() words.Text {
	n := map[string]int{}
	for _, r := range b.Runs {
		n[r.Outcome()]++
	}
	var parts []words.Text
	for _, state := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, words.T("{1} {2}", n[state], outcomeWords(state)))
	}
	return words.T("{1 run|runs}: {2}", len(b.Runs), words.Join(", ", parts...))
}
