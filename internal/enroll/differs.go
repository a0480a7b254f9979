package enroll

import (
	"fmt"
	"slices"
	"strings"

	"rollcall/internal/watchlist"
	"rollcall/models"
)

// asked is what an alert or a line asks for beside the person. It is short, as an account may have 100,000 of them.
type asked struct {
	// id is that of an alert, line that of a line.
	id          string
	line        int
	level       models.MatchLevel
	label, note string
	events      []models.EventKind
	paused      bool
}

func askedBy(w *models.Watcher) *asked {
	return &asked{id: w.ID, level: w.Level, label: models.EmptyIfNil(w.Label), note: models.EmptyIfNil(w.Note), events: w.Events, paused: w.Paused}
}

// inAnotherOrder names a in what is said of a line with the same words.
func (a *asked) inAnotherOrder() string {
	if a.line == 0 {
		return "looks like what " + a.id + " watches, in another order"
	}
	return fmt.Sprintf("looks like line %d in another order", a.line)
}

// differs returns what a line states and a, with which it is folded, has not. A column that the line leaves empty states nothing.
func (a *asked) differs(l *watchlist.Line, w *models.Watcher) []string {
	var out []string
	has := func(is bool, what, mine, other string) {
		if is {
			out = append(out, what+" "+mine+" (it has "+orNone(other)+")")
		}
	}
	has(l.Watcher.Level != nil && w.Level != a.level, "level", string(w.Level), string(a.level))
	has(l.Watcher.Label != nil && models.EmptyIfNil(w.Label) != a.label, "label", models.EmptyIfNil(w.Label), a.label)
	has(l.Watcher.Events != nil && !slices.Equal(w.Events, a.events), "events", words(w.Events), words(a.events))
	if l.Watcher.Note != nil && models.EmptyIfNil(w.Note) != a.note {
		out = append(out, "its note")
	}
	if w.Paused && !a.paused {
		out = append(out, "paused (it is not)")
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// words lists kinds of events.
func words(kinds []models.EventKind) string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return strings.Join(out, " ")
}
