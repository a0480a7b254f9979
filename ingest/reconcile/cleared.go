package reconcile

import (
	"fmt"
	"strings"

	"rollcall/models"
)

// Counts is what a snapshot would have done when a guard held it, where nobody can be named for it as models.Would does. An
// operator who clears the snapshot accepts so much, of a later one too; what goes beyond is judged as ever.
type Counts struct {
	Overdue  int `json:"overdue,omitempty"` // released by times long past
	Fresh    int `json:"fresh,omitempty"`   // new keys, and so on as models.Turnover has them; corrections are left out
	Vanished int `json:"vanished,omitempty"`
	Missed   int `json:"missed,omitempty"` // new keys of people booked long before the last snapshot
	Again    int `json:"again,omitempty"`
	Replaced int `json:"replaced,omitempty"`
}

// beyondShare is the share of those left in jail whom a snapshot may release within a day beside those whom the cleared
// one would have: it comes hours later, and some have left.
const beyondShare = 0.1

// TurnoverCounts are those of a snapshot that Turned held.
func TurnoverCounts(t models.Turnover) *Counts {
	return &Counts{Fresh: t.Fresh - t.Moved, Vanished: t.Vanished - t.Moved, Missed: t.Overdue, Again: t.Again, Replaced: t.Replaced}
}

// UpheavalCounts are those of a snapshot that Upset held.
func UpheavalCounts(u models.Upheaval) *Counts { return &Counts{Overdue: u.Overdue} }

// Turned is Turned of what goes beyond the counts; those who are gone must be the same people.
func (c Counts) Turned(t models.Turnover, daily float64) string {
	t.Fresh, t.Vanished, t.Overdue = max(0, t.Fresh-c.Fresh), max(0, t.Vanished-min(c.Vanished, t.Agreed)), max(0, t.Overdue-c.Missed)
	t.Again, t.Replaced = max(0, t.Again-c.Again), max(0, t.Replaced-c.Replaced)
	return Turned(t, daily)
}

// Upset is Upset of what goes beyond that to which an operator agreed, where it would hold the snapshot without his word.
// Of those in jail, whom he agreed to release are gone, and of the others fewer may be.
func (c Counts) Upset(u models.Upheaval, shrink, rewrite float64) string {
	reason := Upset(u, shrink, rewrite)
	if reason == "" {
		return ""
	}
	if u.Agreed > 0 {
		shrink = min(shrink, beyondShare)
	}
	u.Open, u.Closed = u.Open-u.Agreed, u.Closed-u.Agreed
	u.Overdue = max(0, u.Overdue-min(c.Overdue, u.Agreed))
	beyond := make([]models.Rewrite, len(u.Rewrites))
	for i, r := range u.Rewrites {
		r.Rows -= r.Agreed
		beyond[i] = r
	}
	u.Rewrites = beyond
	reason = Upset(u, shrink, rewrite)
	u.Rewrites = nil
	if len(u.Others) > 0 && Upset(u, shrink, rewrite) != "" {
		reason += " (new among those: " + strings.Join(u.Others, ", ")
		if more := u.Closed - len(u.Others); more > 0 {
			reason += fmt.Sprintf(" and %d more", more)
		}
		reason += ")"
	}
	return reason
}
