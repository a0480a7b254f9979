package reconcile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/models/snapshot"
)

func TestGuarantee4Proof(t *testing.T) {
	t.Parallel()
	n := func(v int) *int { return &v }
	old := "old"
	whole := reconcile.Evidence{Lists: true, Rows: 100, Scope: 100, Staged: 100, MinRows: 1, Shrink: 0.4, NeedTotal: true, Total: n(100), HeaderFingerprint: "old"}
	past := reconcile.Past{Rows: n(110), HeaderFingerprint: &old}
	cases := []struct {
		name   string
		change func(*reconcile.Evidence, *reconcile.Past)
		want   snapshot.Completeness
	}{
		{"all rows, same header, about as many as before", func(*reconcile.Evidence, *reconcile.Past) {}, snapshot.Completeness{Complete: true}},
		{"a declared total that is not reached", func(e *reconcile.Evidence, _ *reconcile.Past) { e.Total = n(101) }, snapshot.Completeness{}},
		{"no declared total", func(e *reconcile.Evidence, _ *reconcile.Past) { e.Total = nil }, snapshot.Completeness{}},
		{"rows that came twice", func(e *reconcile.Evidence, _ *reconcile.Past) { e.Repeated = 1 }, snapshot.Completeness{}},
		{"a row that nobody can read", func(e *reconcile.Evidence, _ *reconcile.Past) { e.Unnamed = 1 }, snapshot.Completeness{}},
		{"another header", func(e *reconcile.Evidence, _ *reconcile.Past) { e.HeaderFingerprint = "new" }, snapshot.Completeness{}},
		{"another header where that holds", func(e *reconcile.Evidence, _ *reconcile.Past) { e.HeaderFingerprint, e.HoldDrift = "new", true }, snapshot.Completeness{Hold: "the columns changed since the last run"}},
		{"far fewer rows than before", func(_ *reconcile.Evidence, p *reconcile.Past) { p.Rows = n(200) }, snapshot.Completeness{Hold: "it shrank from 200 to 100 rows"}},
		{"far fewer rows, and doubtful anyway: it releases nobody", func(e *reconcile.Evidence, p *reconcile.Past) { p.Rows, e.Unnamed = n(200), 1 }, snapshot.Completeness{}},
		{"three of six are gone", func(e *reconcile.Evidence, p *reconcile.Past) {
			e.Rows, e.Scope, e.Staged, e.Total, p.Rows = 3, 3, 3, n(3), n(6)
		}, snapshot.Completeness{Complete: true}},
		{"four of seven are gone", func(e *reconcile.Evidence, p *reconcile.Past) {
			e.Rows, e.Scope, e.Staged, e.Total, p.Rows = 3, 3, 3, n(3), n(7)
		}, snapshot.Completeness{Hold: "it shrank from 7 to 3 rows"}},
		{"a source that does not list everybody", func(e *reconcile.Evidence, _ *reconcile.Past) { e.Lists = false }, snapshot.Completeness{}},
		{"a held source", func(_ *reconcile.Evidence, p *reconcile.Past) { p.Held = true }, snapshot.Completeness{Hold: "not applied while the source is held"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e, p := whole, past
			c.change(&e, &p)
			v, _ := reconcile.Prove(e, p)
			require.Equal(t, c.want, v)
		})
	}
}

func TestGuarantee4Turnover(t *testing.T) {
	t.Parallel()
	const hour, days = time.Hour, 24 * time.Hour
	cases := []struct {
		name string
		told snapshot.KeyTurnover
		held bool
	}{
		{"an ordinary day", snapshot.KeyTurnover{Listed: 100, Fresh: 15, Known: 100, Vanished: 14, Since: days}, false},
		{"half of a small jail within a day", snapshot.KeyTurnover{Listed: 22, Fresh: 11, Known: 22, Vanished: 11, Since: days}, false},
		{"most of a jail within an hour", snapshot.KeyTurnover{Listed: 100, Fresh: 60, Known: 100, Vanished: 60, Since: hour}, true},
		{"many new ones of whom nobody left", snapshot.KeyTurnover{Listed: 200, Fresh: 150, Known: 50, Since: hour}, false},
		{"many gone of whom nobody is new", snapshot.KeyTurnover{Listed: 40, Known: 100, Vanished: 60, Since: hour}, false},
		{"most of a jail in three days", snapshot.KeyTurnover{Listed: 100, Fresh: 80, Known: 100, Vanished: 80, Since: 3 * days}, false},
		{"nearly all of it in three days", snapshot.KeyTurnover{Listed: 100, Fresh: 95, Known: 100, Vanished: 95, Since: 3 * days}, true},
		{"all of it in eight days", snapshot.KeyTurnover{Listed: 100, Fresh: 100, Known: 100, Vanished: 100, Since: 8 * days}, false},
		{"a late snapshot of others", snapshot.KeyTurnover{Listed: 100, Fresh: 100, Overdue: 100, Known: 100, Vanished: 100, Since: -days}, false},
		{"all of four left, and four were booked", snapshot.KeyTurnover{Listed: 4, Fresh: 4, Known: 4, Vanished: 4, Since: days}, false},
		{"two who are late in a jail of ten, two left", snapshot.KeyTurnover{Listed: 10, Fresh: 2, Overdue: 2, Known: 10, Vanished: 2, Since: days}, false},
		{"one of two is replaced", snapshot.KeyTurnover{Listed: 2, Fresh: 1, Replaced: 1, Known: 2, Vanished: 1, Since: days}, false},
		{"both of two are corrected", snapshot.KeyTurnover{Listed: 2, Fresh: 2, Moved: 2, Known: 2, Vanished: 2, Since: days}, false},
		{"one person under a new key", snapshot.KeyTurnover{Listed: 3, Fresh: 1, Known: 3, Vanished: 1, Again: 1, Since: hour}, false},
		{"two of a thousand under new keys", snapshot.KeyTurnover{Listed: 1000, Fresh: 4, Known: 1000, Vanished: 4, Again: 2, Since: hour}, false},
		{"ten of a thousand under new keys", snapshot.KeyTurnover{Listed: 1000, Fresh: 12, Known: 1000, Vanished: 12, Again: 10, Since: hour}, true},
		{"most whom a file of changes books were booked at that time already", snapshot.KeyTurnover{Changes: true, Came: 20, Doubled: 11}, true},
		{"half of them were", snapshot.KeyTurnover{Changes: true, Came: 20, Doubled: 10}, false},
		{"two of two come back within two days", snapshot.KeyTurnover{Changes: true, Came: 2, Doubled: 2}, false},
		{"three of three are booked again, in a list", snapshot.KeyTurnover{Listed: 3, Fresh: 3, Came: 3, Doubled: 3, Known: 3, Vanished: 3, Since: days}, true},
		{"a late file of changes that books people again", snapshot.KeyTurnover{Changes: true, Came: 20, Doubled: 20, Renumbered: 20, Since: -days}, true},
		{"most whom a file of changes books are known in another county", snapshot.KeyTurnover{Changes: true, Came: 9, Elsewhere: 5}, true},
		{"half of them are", snapshot.KeyTurnover{Changes: true, Came: 20, Elsewhere: 10}, false},
		{"four of four were moved", snapshot.KeyTurnover{Changes: true, Came: 4, Elsewhere: 4}, false},
		{"people booked long ago are new in a file of changes", snapshot.KeyTurnover{Changes: true, Listed: 19, Came: 19, Overdue: 19, Since: days}, false},
		{"most people with new cases have an older one of that day", snapshot.KeyTurnover{Changes: true, Came: 39, Doubled: 20, Alike: "day of filing"}, true},
		{"half of them have", snapshot.KeyTurnover{Changes: true, Came: 40, Doubled: 20, Alike: "day of filing"}, false},
		{"nineteen of nineteen have", snapshot.KeyTurnover{Changes: true, Came: 19, Doubled: 19, Alike: "day of filing"}, false},
		{"three of five offenders are known under other numbers", snapshot.KeyTurnover{Changes: true, Came: 5, Doubled: 3, Alike: "year of birth"}, true},
		{"a late snapshot under other keys", snapshot.KeyTurnover{Listed: 9, Fresh: 9, Known: 9, Vanished: 9, Again: 9, Since: -days}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.held, reconcile.KeyTurnover(c.told, 0.5) != "")
			if c.told.Again = 0; !c.told.Changes {
				c.told.Overdue = 0
			}
			require.Empty(t, reconcile.KeyTurnover(c.told, 1), "where the document says that everybody may come and go")
		})
	}
}

func TestGuarantee4MassChange(t *testing.T) {
	t.Parallel()
	const days = 24 * time.Hour
	cases := []struct {
		name string
		told snapshot.MassChange
		held bool
	}{
		{"a tenth of a jail is released", snapshot.MassChange{Lists: true, Open: 100, Closed: 10, Since: days}, false},
		{"half of a jail is released within a day", snapshot.MassChange{Lists: true, Open: 100, Closed: 50, Since: days}, true},
		{"half of a jail is released in two days", snapshot.MassChange{Lists: true, Open: 100, Closed: 50, Since: 2 * days}, false},
		{"all of a jail is released in two days", snapshot.MassChange{Lists: true, Open: 100, Closed: 100, Since: 2 * days}, true},
		{"half of those whom a delta knows are released", snapshot.MassChange{Open: 100, Closed: 50, Since: days}, true},
		{"a file of nothing but releases", snapshot.MassChange{Releases: true, Open: 100, Closed: 100, Overdue: 100, Spoken: 100, Since: days}, false},
		{"most of whom a delta speaks were released long ago, after a month", snapshot.MassChange{Open: 1000, Closed: 20, Overdue: 15, Spoken: 20, Since: 30 * days}, true},
		{"all birth dates of three people change", snapshot.MassChange{Lists: true, Known: 3, Rewrites: rewrites("birth date", 3)}, false},
		{"most names change", snapshot.MassChange{Lists: true, Known: 20, Rewrites: rewrites("name", 11)}, true},
		{"a delta of ten corrected names", snapshot.MassChange{Known: 10, Rewrites: rewrites("name", 10)}, false},
		{"most bonds change overnight", snapshot.MassChange{Lists: true, Known: 20, Rewrites: rewrites("bond", 11), Since: days}, true},
		{"half of the bonds change overnight", snapshot.MassChange{Lists: true, Known: 20, Rewrites: rewrites("bond", 10), Since: days}, false},
		{"most bonds change while nobody looked for a week", snapshot.MassChange{Lists: true, Known: 20, Rewrites: rewrites("bond", 20), Since: 7 * days}, false},
		{"a delta of four corrected times of booking", snapshot.MassChange{Known: 4, Rewrites: rewrites("time of booking", 4)}, false},
		{"a delta of five corrected times of booking among ten", snapshot.MassChange{Known: 10, Rewrites: rewrites("time of booking", 5)}, false},
		{"a delta of eight shifted times of booking", snapshot.MassChange{Known: 8, Rewrites: rewrites("time of booking", 8)}, true},
		{"nearly all of a few bonds change", snapshot.MassChange{Lists: true, Known: 100, Since: days, Rewrites: bonds(10, 2, 12)}, true},
		{"more than half of the bonds change on a day of hearings", snapshot.MassChange{Lists: true, Known: 100, Since: days, Rewrites: bonds(12, 2, 20)}, false},
		{"all of five bonds become the same", snapshot.MassChange{Lists: true, Known: 100, Since: days, Rewrites: bonds(5, 5, 5)}, true},
		{"half of ten bonds become the same", snapshot.MassChange{Lists: true, Known: 100, Since: days, Rewrites: bonds(5, 5, 10)}, false},
		{"four bonds become the same", snapshot.MassChange{Lists: true, Known: 100, Since: days, Rewrites: bonds(4, 4, 4)}, false},
		{"a delta in which ten bonds become the same", snapshot.MassChange{Known: 100, Since: days, Rewrites: bonds(0, 10, 12)}, true},
		{"a delta in which nine bonds become the same", snapshot.MassChange{Known: 100, Since: days, Rewrites: bonds(0, 9, 9)}, false},
		{"all bonds become the same while nobody looked for a week", snapshot.MassChange{Lists: true, Known: 100, Since: 7 * days, Rewrites: bonds(20, 20, 20)}, true},
		{"a delta of five names, of which three are other people's", snapshot.MassChange{Known: 9, Rewrites: []snapshot.Rewrite{{Fact: "name", Rows: 5, Refused: 3}}}, true},
		{"a delta of six names, of which three are other people's", snapshot.MassChange{Known: 9, Rewrites: []snapshot.Rewrite{{Fact: "name", Rows: 6, Refused: 3}}}, false},
		{"a delta of four other people's names", snapshot.MassChange{Known: 4, Rewrites: []snapshot.Rewrite{{Fact: "name", Rows: 4, Refused: 4}}}, false},
		{"twenty days of filing change among 39", snapshot.MassChange{Known: 39, Rewrites: filed(20, 3)}, true},
		{"twenty of forty do", snapshot.MassChange{Known: 40, Rewrites: filed(20, 20)}, false},
		{"nineteen of nineteen do", snapshot.MassChange{Known: 19, Rewrites: filed(19, 18)}, false},
		{"ten of ten move by one day", snapshot.MassChange{Known: 10, Rewrites: filed(10, 10)}, true},
		{"nine of nine do, of a court that lists all cases", snapshot.MassChange{Lists: true, Known: 9, Rewrites: filed(9, 9)}, false},
		{"nearly all open cases are closed", snapshot.MassChange{Cases: true, Open: 27, Closed: 25, Since: days}, true},
		{"nine of ten are", snapshot.MassChange{Cases: true, Open: 400, Closed: 360, Since: days}, false},
		{"24 of 24 are", snapshot.MassChange{Cases: true, Open: 24, Closed: 24, Since: days}, false},
		{"all are, after a week", snapshot.MassChange{Cases: true, Open: 400, Closed: 400, Since: 7 * days}, false},
		{"a delta of fifty corrected times of booking", snapshot.MassChange{Known: 50, Rewrites: rewrites("time of booking", 50)}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.held, reconcile.MassChange(c.told, 0.4, 0.5) != "")
		})
	}
}

// filed is a change of so many days of filing, of which some move by one and the same interval.
func filed(rows, moved int) []snapshot.Rewrite {
	return []snapshot.Rewrite{{Fact: "day of filing", Rows: rows, Moved: moved}}
}

// bonds is a change of the bonds of so many of those who had one, of which some become the same.
func bonds(rows, alike, of int) []snapshot.Rewrite {
	return []snapshot.Rewrite{{Fact: "bond", Rows: rows, Alike: alike, Of: of, Late: true}}
}

// rewrites is a change of one fact of so many people.
func rewrites(fact string, rows int) []snapshot.Rewrite {
	return []snapshot.Rewrite{{Fact: fact, Rows: rows, Late: fact == "bond"}}
}

func TestGuarantee11BirthsAreExpectedOfThoseRowsAloneThatCanStateThem(t *testing.T) {
	t.Parallel()
	last := mapping.Reported{Rows: 100, People: 20, Births: 19}
	for name, c := range map[string]struct {
		last, now mapping.Reported
		held      bool
	}{
		"cases with births":                         {last, mapping.Reported{Rows: 40, People: 10, Births: 9}, false},
		"cases without births":                      {last, mapping.Reported{Rows: 10, People: 10}, true},
		"hearings and charges alone":                {last, mapping.Reported{Rows: 400}, false},
		"one case without a birth among hearings":   {last, mapping.Reported{Rows: 400, People: 1}, false},
		"cases after files of hearings and charges": {mapping.Reported{Rows: 100}, mapping.Reported{Rows: 10, People: 10}, false},
		"births that can not be read":               {last, mapping.Reported{Rows: 40, People: 8, Births: 8, Unreadable: 5}, true},
		"births of few were ever told":              {mapping.Reported{Rows: 100, People: 100, Births: 3}, mapping.Reported{Rows: 50, People: 50}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.held, len(reconcile.Births(c.last, c.now)) > 0)
		})
	}
}
