package court

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Fields returns the facts of a case whose changes its history keeps, in the text form of the history. Each hearing is a field
// of its own, under its id, so the changes of one stand together.
func (s *State) Fields() []resolve.Field {
	out := []resolve.Field{
		{Name: caseDefendant, Text: resolve.Text(s.Defendant)},
		{Name: caseDOB, Text: resolve.DateText(s.DOB)},
		{Name: caseYear, Text: resolve.NumberText(s.BirthYear)},
		{Name: caseOffense, Text: resolve.Text(s.Offense)},
		{Name: caseFiled, Text: resolve.DateText(&s.Filed)},
		{Name: caseInferred, Text: resolve.BoolText(s.FiledInferred)},
		{Name: caseBail, Text: resolve.NumberText(s.BailCents)},
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

// Diff lists what changed of a case: its facts, its hearings, and then what was decided.
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

// Same reports whether two states of a case are the same to the tables, facts without a history included. When hearings were
// last reported is left out.
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

// same compares what the tables store of a hearing.
func (h *Hearing) same(o *Hearing) bool {
	a, b := *h, *o
	a.Event, b.Event = "", ""
	a.SaidAt, b.SaidAt = time.Time{}, time.Time{}
	a.StartsAt, b.StartsAt = resolve.Instant(a.StartsAt), resolve.Instant(b.StartsAt)
	return a == b
}

// text returns what the history stores of a hearing, as PostgreSQL writes jsonb: short keys first. It is the text of the
// function hearing_text of the migrations, letter for letter, as a merge writes history by that one. A cancelled hearing is
// none.
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

// jsonText collects the members of a JSON object.
type jsonText struct{ parts []string }

// add adds a text; always says that an empty one is added too.
func (w *jsonText) add(key, value string, always bool) {
	if value != "" || always {
		w.parts = append(w.parts, `"`+key+`": `+quoted(value))
	}
}

// dispositionsText returns what the history stores of the dispositions of a case: all of them, in one text.
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

// quoted returns a text as JSON, without the escapes that only HTML needs.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a text
	}
	return strings.TrimSuffix(b.String(), "\n")
}
