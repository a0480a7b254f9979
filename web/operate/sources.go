package operate

import (
	"slices"
	"time"

	"rollcall/models"
	"rollcall/web/page"
)

// sourceLine is a source on the operators' list.
type sourceLine struct {
	*models.Source
	// Rows that wait in its quarantine, and those that are ignored until they change.
	Quarantined, Ignored int
	// Ends is when a release that an operator decided ends its hold; nil: none is decided.
	Ends *time.Time
}

// Shown is that of the source for operators: a schedule that one of them stopped is told before how old the data are.
func (l sourceLine) Shown() string { return shownTo(l.Source) }

// Note is that of the source; nil where it says no more than that rows are in quarantine, and all of them are ignored.
func (l sourceLine) Note() *string {
	if n := l.Source.Note; n == nil || !allIgnored(*n, l.Quarantined, l.Ignored) {
		return n
	}
	return nil
}

// shownTo is models.Source.Shown for operators.
func shownTo(src *models.Source) string {
	if src.Stopped() && src.Parent == "" && src.State() != models.SourceHeld && src.State() != models.SourceRefused {
		return models.ShownStopped
	}
	return src.Shown()
}

// Answers reports whether the source answered at least a minute after the instant that its data
// is of. The page then shows both times: a source may answer for days with old data.
func (l sourceLine) Answers() bool {
	at := l.AsOf()
	return at != nil && l.LastSuccess.Sub(*at) >= time.Minute
}

// sourceTable is a table of the operators' list.
type sourceTable struct {
	Label string
	Lines []sourceLine
	Now   time.Time
}

// linesOf returns a table; templates pass one by calling it.
func linesOf(label string, lines []sourceLine, now time.Time) sourceTable {
	return sourceTable{Label: label, Lines: lines, Now: now}
}

// urgency orders states: those that need somebody come first.
var urgency = map[models.SourceState]int{
	models.SourceHeld: 0, models.SourceRefused: 1, models.SourceDown: 2, models.SourceLate: 3, models.SourceOK: 4,
}

// counted is the state under which the source is counted above the list.
func (l sourceLine) counted() string {
	if l.Shown() == models.ShownStopped {
		return models.ShownStopped
	}
	return string(l.State())
}

// needs reports whether somebody has to look at the source.
func (l sourceLine) needs() bool {
	return l.State() != models.SourceOK || l.Shown() == models.ShownStopped
}

// byUrgency compares two sources for sorting. A stopped one comes after those that are late.
func byUrgency(a, b sourceLine) int {
	if n := urgency[a.State()] - urgency[b.State()]; n != 0 || a.needs() == b.needs() {
		return n
	}
	if a.needs() {
		return -1
	}
	return 1
}

// sourcesPage lists the sources, those that need attention first.
func (s Site) sourcesPage(v *page.Visit) error {
	sources, err := s.Store.Sources(v.R.Context())
	if err != nil {
		return err
	}
	sizes, err := s.Store.QuarantineSizes(v.R.Context())
	if err != nil {
		return err
	}
	ignored, err := s.Store.IgnoredSizes(v.R.Context())
	if err != nil {
		return err
	}
	releases, err := s.Store.OpenReleases(v.R.Context())
	if err != nil {
		return err
	}
	body := struct {
		Sources []sourceLine
		Unwell  []sourceLine // which somebody has to look at
		Well    []sourceLine
		// Archived are takeovers, and Retired what an operator retired: none of Sources.
		Archived, Retired []sourceLine
		States            map[string]int
		Review            int // records that wait for one
		Now               time.Time
	}{States: map[string]int{}, Now: s.Now()}
	for _, src := range sources {
		line := sourceLine{Source: src, Quarantined: sizes[src.ID], Ignored: ignored[src.ID]}
		if r := releases[src.ID]; r != nil && src.HeldSince != nil {
			line.Ends = &r.DueAt
		}
		if line.Shown() == models.ShownArchived {
			body.Archived = append(body.Archived, line)
			continue
		}
		body.Sources = append(body.Sources, line)
		body.States[line.counted()]++
	}
	retired, err := s.Store.RetiredSources(v.R.Context())
	if err != nil {
		return err
	}
	for _, src := range retired {
		body.Retired = append(body.Retired, sourceLine{Source: src, Quarantined: sizes[src.ID], Ignored: ignored[src.ID]})
	}
	slices.SortStableFunc(body.Sources, byUrgency)
	ill := slices.IndexFunc(body.Sources, func(l sourceLine) bool { return !l.needs() })
	if ill < 0 {
		ill = len(body.Sources)
	}
	if _, body.Review, err = s.Store.Reviews(v.R.Context(), false, "", 1); err != nil {
		return err
	}
	body.Unwell, body.Well = body.Sources[:ill], body.Sources[ill:]
	return s.Pages.Page(v, "sources", page.View{Title: "Sources", Fresh: true, Body: body})
}
