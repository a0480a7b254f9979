package court

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Fields are the facts of a case whose changes its history keeps.
func (s *State) Fields() []resolve.Field {
	out := []resolve.Field{
		{Name: caseDefendant, Text: resolve.Text(s.Defendant)},
		{Name: caseDOB, Text: resolve.DateText(s.DOB)},
		{Name: caseYear, Text: resolve.NumberText(s.BirthYear)},
		{Name: caseOffense, Text: resolve.Text(s.Offense)},
		{Name: caseFiled, Text: resolve.DateText(&s.Filed)},
		{Name: caseStatus, Text: resolve.Text(s.Status)},
		{Name: caseJudge, Text: resolve.Text(s.Judge)},
		{Name: caseLink, Text: resolve.Text(s.HearingLink)},
		{Name: "withheld", Text: resolve.Text(string(s.Visibility.Withheld()))},
	}
	for _, h := range s.Hearings {
		out = append(out, resolve.Field{Name: "hearing " + h.ID, Text: h.text()})
	}
	return append(out, resolve.Field{Name: caseDisposed, Text: dispositionsText(s.Dispositions)})
}

// Diff lists what became another of a case: its facts, its hearings, and then what was decided.
func Diff(before, after *State) []resolve.Version {
	out := resolve.Diff(before.Fields(), after.Fields())
	slices.SortStableFunc(out, func(a, b resolve.Version) int {
		switch {
		case a.Field == caseDisposed:
			return 1
		case b.Field == caseDisposed:
			return -1
		}
		return 0
	})
	return out
}

// Same reports whether two states of a case are the same to the tables, facts without a history included.
func (s *State) Same(t *State) bool {
	if len(s.Charges) != len(t.Charges) || len(s.Hearings) != len(t.Hearings) {
		return false
	}
	for i := range s.Charges {
		if s.Charges[i] != t.Charges[i] {
			return false
		}
	}
	for i := range s.Hearings {
		if !s.Hearings[i].same(&t.Hearings[i]) {
			return false
		}
	}
	return s.BookingKey == t.BookingKey && s.StatusText == t.StatusText && s.Visibility.Same(t.Visibility) &&
		s.Visibility.Lifted == t.Visibility.Lifted && s.Source == t.Source && len(Diff(s, t)) == 0
}

// same compares what the tables have of a hearing.
func (h *Hearing) same(o *Hearing) bool {
	a, b := *h, *o
	a.Event, b.Event = "", ""
	a.SaidAt, b.SaidAt = time.Time{}, time.Time{}
	a.StartsAt, b.StartsAt = resolve.Instant(a.StartsAt), resolve.Instant(b.StartsAt)
	return a == b
}

// text is what the history has of a hearing, as PostgreSQL writes jsonb: short keys first. A cancelled
// hearing is none.
func (h *Hearing) text() *string {
	if h.Cancelled {
		return nil
	}
	w := &jsonText{}
	w.add("date", h.Date.String(), true)
	w.add("kind", h.Kind, false)
	w.add("link", h.Link, false)
	w.add("time", h.Time, false)
	w.add("judge", h.Judge, false)
	w.add("location", h.Location, false)
	w.add("startsAt", *resolve.InstantText(&h.StartsAt), true)
	return resolve.Text("{" + strings.Join(w.parts, ", ") + "}")
}

// jsonText writes the members of an object.
type jsonText struct{ parts []string }

func (w *jsonText) add(key, value string, always bool) {
	if value != "" || always {
		w.parts = append(w.parts, `"`+key+`": `+quoted(value))
	}
}

// dispositionsText is what the history has of the dispositions of a case: all of them.
func dispositionsText(list []snapshot.DispositionFacts) *string {
	if len(list) == 0 {
		return nil
	}
	parts := make([]string, 0, len(list))
	for _, d := range list {
		sentence := "null"
		if d.Sentence != "" {
			sentence = quoted(d.Sentence)
		}
		parts = append(parts, `{"date" : "`+d.Date.String()+`", "outcome" : `+quoted(d.Outcome)+`, "sentence" : `+sentence+`}`)
	}
	return resolve.Text("[" + strings.Join(parts, ", ") + "]")
}

// quoted is a text as JSON, without the escapes that only pages need.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text
	}
	return strings.TrimSuffix(b.String(), "\n")
}
