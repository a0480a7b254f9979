package reconcile

import "rollcall/models"

// Counts is what a snapshot would have done when a guard held it. An operator who clears the snapshot accepts so much, of a
// later one too; what goes beyond is judged as ever. It names nobody.
type Counts struct {
	Closed   int            `json:"closed"`             // people whom it would release
	Overdue  int            `json:"overdue,omitempty"`  // of these, by times long past
	Rewrites map[string]int `json:"rewrites,omitempty"` // known people whose fact would change, by fact
	Fresh    int            `json:"fresh,omitempty"`    // new keys, and so on as models.Turnover has them; corrections are left out
	Vanished int            `json:"vanished,omitempty"`
	Missed   int            `json:"missed,omitempty"` // new keys of people booked long before the last snapshot
	Again    int            `json:"again,omitempty"`
	Replaced int            `json:"replaced,omitempty"`
}

// TurnoverCounts are those of a snapshot that Turned held. Whoever is gone from it would be released.
func TurnoverCounts(t models.Turnover) *Counts {
	return &Counts{Closed: t.Vanished, Fresh: t.Fresh - t.Moved, Vanished: t.Vanished - t.Moved, Missed: t.Overdue, Again: t.Again, Replaced: t.Replaced}
}

// UpheavalCounts are those of a snapshot that Upset held.
func UpheavalCounts(u models.Upheaval) *Counts {
	c := &Counts{Closed: u.Closed, Overdue: u.Overdue, Rewrites: map[string]int{}}
	for _, r := range u.Rewrites {
		c.Rewrites[r.Fact] = r.Rows
	}
	return c
}

// Turned is Turned of what goes beyond the counts.
func (c Counts) Turned(t models.Turnover, daily float64) string {
	t.Fresh, t.Vanished, t.Overdue = max(0, t.Fresh-c.Fresh), max(0, t.Vanished-c.Vanished), max(0, t.Overdue-c.Missed)
	t.Again, t.Replaced = max(0, t.Again-c.Again), max(0, t.Replaced-c.Replaced)
	return c.beyond(Turned(t, daily))
}

// Upset is Upset of what goes beyond the counts; of those in jail, the accepted releases are gone.
func (c Counts) Upset(u models.Upheaval, shrink, rewrite float64) string {
	u.Open, u.Closed = max(0, u.Open-c.Closed), max(0, u.Closed-c.Closed)
	u.Overdue = max(0, u.Overdue-c.Overdue)
	beyond := make([]models.Rewrite, len(u.Rewrites))
	for i, r := range u.Rewrites {
		r.Rows = max(0, r.Rows-c.Rewrites[r.Fact])
		beyond[i] = r
	}
	u.Rewrites = beyond
	return c.beyond(Upset(u, shrink, rewrite))
}

// beyond says of a reason that something was accepted.
func (c Counts) beyond(reason string) string {
	if reason == "" || c.none() {
		return reason
	}
	return "beyond what an operator cleared, " + reason
}

func (c Counts) none() bool {
	return c.Closed == 0 && c.Overdue == 0 && len(c.Rewrites) == 0 && c.Fresh == 0 && c.Vanished == 0 && c.Missed == 0 && c.Again == 0 && c.Replaced == 0
}
