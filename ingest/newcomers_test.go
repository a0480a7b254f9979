package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// some leaves those people of a county who have these numbers, and all of them are in jail.
func some(from, to int) func(*detainee) bool {
	return func(p *detainee) bool { p.out = time.Time{}; return p.n >= from && p.n < to }
}

// TestARosterInTwoPartsIsNotHeld reads the people of a county in two files, as the shipped common CSV allows: "a file may hold any
// part of any county's roster".
func TestARosterInTwoPartsIsNotHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := published(t, 0)
	b.runSource(s, "a.csv", f1(firstDay, 40, false, some(0, 20), "Appling", "Bacon"), firstDay)
	at := firstDay.Add(5 * time.Minute)
	r := b.runSource(s, "b.csv", f1(at, 40, false, some(20, 40), "Appling", "Bacon"), at)
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.String()+r.Note)
	require.Equal(t, 20, r.New, r.String())
}

// TestAFileOfChangesJoinedInMidLifeIsNotHeld subscribes to a file of changes: whoever is in jail is unknown until something
// changes, and days of hearings name people who were booked weeks ago.
func TestAFileOfChangesJoinedInMidLifeIsNotHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := published(t, 0)
	b.runSource(s, "a.csv", f1(firstDay, 40, false, some(0, 4), "Appling", "Bacon"), firstDay)
	for day := 1; day <= 3; day++ {
		at := firstDay.AddDate(0, 0, day)
		b.now = b.now.AddDate(0, 0, 1)
		listed := some(12*day-8, 12*day+4)
		r := b.runSource(s, fmt.Sprintf("d%d.csv", day), f1(at, 40, false, func(p *detainee) bool {
			p.bond = fmt.Sprintf("$%d.00", 7000+p.n)
			return listed(p)
		}, "Appling", "Bacon"), at)
		require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.Note)
	}
}

// TestALookupGoesOn asks number by number: the next day goes on with other numbers of people who are in jail.
func TestALookupGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := published(t, 0)
	s.Publish = ingest.Publish{Policy: "lookup", Absence: "nothing"}
	b.runSource(s, "a.csv", f1(firstDay, 40, false, some(0, 20), "Appling", "Bacon"), firstDay)
	at := firstDay.Add(24 * time.Hour)
	r := b.runSource(s, "b.csv", f1(at, 40, false, some(20, 40), "Appling", "Bacon"), at)
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.Note)
}

// ofThisWeek gives a county people who were booked within the last days.
func ofThisWeek(suffix string) func(*detainee) bool {
	return func(p *detainee) bool {
		p.key, p.last, p.out, p.booked = "Q"+p.key+suffix, p.last+suffix, time.Time{}, firstDay.Add(-time.Duration(1+p.n)*time.Hour)
		return true
	}
}

// TestNewcomersWhomAnotherCountyHasAreHeld reads a file whose converter wrote "Bacon" over the rows of Appling: people of this week,
// whom the same source has in Appling.
func TestNewcomersWhomAnotherCountyHasAreHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := published(t, 0)
	b.runSource(s, "a.csv", f1(firstDay, 30, false, ofThisWeek(""), "Appling", "Baker"), firstDay)
	b.runSource(s, "b.csv", f1(firstDay, 30, false, ofThisWeek("MANN"), "Bacon", "Baker"), firstDay)
	since := lastChange(b)
	at := firstDay.Add(6 * time.Hour)
	r := b.runSource(s, "c.csv", f1(at, 30, false, ofThisWeek(""), "Bacon", "Baker"), at)
	require.Empty(t, eventsOf(b, "Bacon", since), "nobody is told of people who are in another jail")
	require.Contains(t, r.Note, "30 of the 30 people it would book are known in another county of the source, by name and time of booking")
	require.Equal(t, models.SourceHeld, b.sources()[models.ScopeID(s.ID, "bacon")].State())
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "baker")].State())
}

// TestPeopleOfTwoCountiesAreNotHeld reads people who are rightly in two counties of a source.
func TestPeopleOfTwoCountiesAreNotHeld(t *testing.T) {
	t.Parallel()
	after := firstDay.Add(24 * time.Hour)
	renewed := func(p *detainee) bool {
		p.key, p.last, p.out, p.booked = "R"+p.key, p.last+"E", time.Time{}, firstDay.Add(time.Duration(1+p.n)*time.Hour)
		return p.n < 12
	}
	moved := func(listed bool) func(*detainee) bool {
		return func(p *detainee) bool {
			if p.out = (time.Time{}); listed {
				p.out = firstDay.Add(20 * time.Hour)
			}
			return p.n < 12
		}
	}
	cases := []struct {
		name   string
		change [2]func(*detainee) bool // by county
		events string                  // of the second
	}{
		{"one jail of two counties is listed under both, in a file for each", [2]func(*detainee) bool{renewed, renewed}, "booking 12"},
		{"twelve were moved", [2]func(*detainee) bool{moved(true), moved(false)}, "booking 12"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := published(t, 0)
			b.runSource(s, "a.csv", f1(firstDay, 24, false, asBefore, "Appling", "Baker"), firstDay)
			b.runSource(s, "b.csv", f1(firstDay, 24, false, ofThisWeek("MANN"), "Bacon", "Baker"), firstDay)
			since := lastChange(b)
			b.runSource(s, "c.csv", f1(after, 24, false, c.change[0], "Appling", "Baker"), after)
			r := b.runSource(s, "d.csv", f1(after.Add(5*time.Minute), 24, false, c.change[1], "Bacon", "Baker"), after.Add(5*time.Minute))
			require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "bacon")].State(), r.Note)
			require.Equal(t, 12, r.New, r.String())
			require.Equal(t, c.events, eventsOf(b, "Bacon", since), r.String())
		})
	}
}
