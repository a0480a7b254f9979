package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// docket is a case of a clerk's file (FEEDS.md, F22).
type docket struct {
	n                         int // from 0, within the county
	number, last, first, born string
	filed                     time.Time
	disposed                  string // the day, blank of an open case
	left                      bool   // out of the file
}

// clerkFile writes the cases of some counties, as change leaves them. It changes none of the last county.
func clerkFile(cases int, change func(*docket), counties ...string) string {
	var out strings.Builder
	for c, county := range counties {
		for n := range cases {
			d := docket{
				n: n, number: fmt.Sprintf("SU-26-%d", 100+n), last: surnames[n%len(surnames)], first: []string{"WREN", "ORLA", "PIP"}[n/len(surnames)],
				born: fmt.Sprintf("%02d/%02d/19%02d", 1+n%12, 1+n%28, 60+n), filed: firstDay.AddDate(0, 0, -n),
			}
			if c < len(counties)-1 {
				change(&d)
			}
			if !d.left {
				fmt.Fprintf(&out, "CA\t%s\tSU\t1\t%s\t%s\t%s\t\t%s\t%s\t\t\t\t%s\tW\tF\t\t\t\n", county, d.number, d.last, d.first, d.filed.Format("01/02/2006"), d.disposed, d.born)
				fmt.Fprintf(&out, "CH\t%s\tSU\t1\t%s\t1\t16-8-2\tF\t0.00\t\tTHEFT BY TAKING\t\t\t\n", county, d.number)
			}
		}
	}
	return out.String()
}

// courtSource is the shipped court-delta under another policy.
func courtSource(t *testing.T, policy string) *ingest.Source {
	t.Helper()
	s, err := ingest.Load("court-delta")
	require.NoError(t, err)
	if s.Publish.Policy = policy; policy == "window" {
		s.Publish.WindowDays = 60
	}
	return s
}

var courtPolicies = []string{"delta", "full_roster", "window"}

// TestAMishapOfACourtHoldsItsCounty feeds a file in which one fact of all cases of a county is wrong: the county is held, nothing of
// it changes, and the other county goes on.
func TestAMishapOfACourtHoldsItsCounty(t *testing.T) {
	t.Parallel()
	mishaps := []struct {
		name   string
		change func(*docket)
		why    string
	}{
		{"days of filing a day earlier", func(d *docket) { d.filed = d.filed.AddDate(0, 0, -1) }, "the day of filing of 30 of 30 people"},
		{"all cases are closed", func(d *docket) { d.disposed = "02/01/2026" }, "it would close 30 of its 30 open cases at once"},
		{"other numbers", func(d *docket) { d.number = "N" + d.number }, "28 of the 30 people who have new numbers in it are known under others, by name and day of filing"},
		{"first and last names exchanged", func(d *docket) { d.last, d.first = d.first, d.last }, "the name of 30 of 30 people would change"},
		{"names of others", func(d *docket) { d.last, d.first = "XAVIERSON", "ODETTE" }, "30 of their rows would be refused because the key is known for another person"},
		{"other birth dates", func(d *docket) { d.born = "07/07/1955" }, "refused because the key is known for another person"},
		{"names of others in a file of six", func(d *docket) { d.last, d.first, d.left = "XAVIERSON", "ODETTE", d.n > 5 }, "the name of 6 of 6 people would change, and 6 of their rows"},
	}
	for _, policy := range courtPolicies {
		for _, m := range mishaps {
			t.Run(policy+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s := courtSource(t, policy)
				b.runSource(s, "a_20260201_120000.txt", clerkFile(30, func(*docket) {}, "Clarke", "Bacon"), firstDay)
				b.now = b.now.Add(24 * time.Hour)
				before := b.courtsOf("SU")
				r := b.runSource(s, "b_20260202_120000.txt", clerkFile(30, m.change, "Clarke", "Bacon"), firstDay.AddDate(0, 0, 1))
				require.Equal(t, models.SourceHeld, b.sources()[models.ScopeID(s.ID, "clarke")].State(), r.String())
				require.Contains(t, r.Note, m.why)
				require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "bacon")].State())
				require.Equal(t, before, b.courtsOf("SU"))
				require.Equal(t, 60, one[int](b, `select count(*) from court_cases`))
			})
		}
	}
}

// TestOrdinaryLifeOfACourtIsNoMishap feeds what looks like a mishap and is none.
func TestOrdinaryLifeOfACourtIsNoMishap(t *testing.T) {
	t.Parallel()
	ordinary := []struct {
		name   string
		change func(*docket)
	}{
		{"eleven cases are closed on a day of pleas", func(d *docket) {
			if d.n < 11 {
				d.disposed = "02/01/2026"
			}
		}},
		{"the same defendants have one more case of the same day", func(d *docket) {
			if d.n < 2 {
				d.number = "N" + d.number
			}
		}},
		{"three days of filing and three names are corrected", func(d *docket) {
			switch {
			case d.n < 3:
				d.filed = d.filed.AddDate(0, 0, -1)
			case d.n < 6:
				d.last += "E"
			}
		}},
		{"all cases are new", func(d *docket) {
			d.number, d.last, d.first = "N"+d.number, d.last+"SEN", "ODETTE"
		}},
	}
	for _, policy := range courtPolicies {
		for _, o := range ordinary {
			t.Run(policy+"/"+o.name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s := courtSource(t, policy)
				b.runSource(s, "a_20260201_120000.txt", clerkFile(30, func(*docket) {}, "Clarke", "Bacon"), firstDay)
				b.now = b.now.Add(24 * time.Hour)
				r := b.runSource(s, "b_20260202_120000.txt", clerkFile(30, o.change, "Clarke", "Bacon"), firstDay.AddDate(0, 0, 1))
				require.NotEqual(t, source.RunHeld, r.State, r.String())
				require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "clarke")].State(), r.String())
			})
		}
	}
}
