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

// detainee is a row of the common CSV (FEEDS.md, F1).
type detainee struct {
	n                           int // from 0, within the county
	key, last, first, dob, bond string
	booked, out                 time.Time // out is zero of somebody in jail
	gone                        bool      // from the file
}

// surnames are of invented people.
var surnames = []string{
	"QUILLFEATHER", "MOONSAIL", "THISTLEDOWN", "STORMCROW", "FENWICKE", "BRACKENRIDGE", "EMBERLYN", "VANTONGEREN", "WINTERBOURNE", "LARKSPURR",
	"ASHGROVER", "DUNMARROW", "PELLINGHAM", "ROOKWELL", "SALTMARSHE", "TAMBERLANE", "UNDERHOLT", "WYCHERLEE", "YARROWBY", "ZELLIGOR",
}

// f1 writes a file of some people of each county, as change leaves them. It changes nobody of the last county, whose names end in
// neighbour, and of whom the first one's bond grows with each file.
func f1(at time.Time, people int, lists bool, change func(*detainee) (listed bool), counties ...string) string {
	var out strings.Builder
	out.WriteString("county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address," +
		"booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n")
	for c, county := range counties {
		for n := range people {
			p := detainee{
				n: n, key: fmt.Sprintf("A%d", 100+n), last: surnames[n%len(surnames)], first: []string{"WREN", "ORLA", "PIP"}[n/len(surnames)],
				dob: fmt.Sprintf("19%02d-%02d-%02d", 60+n, 1+n%12, 1+n%28), booked: firstDay.Add(-time.Duration(30+n*17) * time.Hour),
			}
			if n%2 == 0 { // half of a jail has a bond
				p.bond = fmt.Sprintf("$%d.00", 500+50*n)
			}
			if n%4 == 3 { // many stay for hours
				p.out = p.booked.Add(10 * time.Hour)
			}
			switch {
			case c < len(counties)-1:
				if !change(&p) {
					continue
				}
			default:
				if p.last += neighbour; n == 0 {
					p.bond = fmt.Sprintf("$%d.00", 1000+int(at.Sub(firstDay).Hours()))
				}
			}
			fmt.Fprintf(&out, "%s,%s,,%s,%s,%s,,,,,%s,,%s,%s,,,,ARSON,Felony,%s,,,,,\n",
				county, eastern(at), p.key, p.last, p.first, p.dob, eastern(p.booked), eastern(p.out), p.bond)
		}
	}
	if lists {
		out.WriteString("#end\n")
	}
	return out.String()
}

// neighbour ends the last names of the last county of a file: nobody is in two.
const neighbour = "WAY"

// eastern writes an instant as collectors do: EST all year, and the clock on the wall is meant. The zero time is blank.
func eastern(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(models.Georgia).Format(time.DateTime) + " EST"
}

// firstDay is the instant of the first file.
var firstDay = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

func asBefore(*detainee) bool { return true }

// policies are the ways in which a jail may publish the common CSV.
var policies = []struct {
	name, keys string
	publish    ingest.Publish
}{
	{"delta", "", ingest.Publish{}},
	{"delta by number", numberKeys, ingest.Publish{}},
	{"full_roster", "", ingest.Publish{Policy: "full_roster", Absence: "released", Confirmations: 1}},
	{"full_roster by number", numberKeys, ingest.Publish{Policy: "full_roster", Absence: "released", Confirmations: 1}},
	{"window", "", ingest.Publish{Policy: "window", WindowDays: 20, Absence: "released", Confirmations: 1}},
}

// published is the shipped common CSV under another policy.
func published(t *testing.T, policy int) *ingest.Source {
	t.Helper()
	p := policies[policy]
	s := commonSource(t, p.publish.Policy != "")
	if p.publish.Policy != "" {
		s.Publish = p.publish
	}
	if p.keys != "" {
		s.Identity.Booking = s.Identity.Booking[:1]
		s.Identity.Booking[0].Of, s.Identity.Booking[0].Strength = []string{"booking.number"}, "source"
	}
	return s
}

// events counts what watchers of a county could be told since the last change before, by kind.
func eventsOf(b *bundle, county string, since int64) string {
	b.Helper()
	return one[string](b, `select coalesce(string_agg(kind || ' ' || n, ', ' order by kind), '') from (
 select g.kind, count(*) as n from changes g join bookings b on b.rid = g.rid join counties c on c.id = b.county_id where g.id > $1 and c.name = $2 group by 1) g`, since, county)
}

func lastChange(b *bundle) int64 {
	b.Helper()
	return one[int64](b, `select coalesce(max(id), 0) from changes`)
}

// TestAMishapOfOneCountyHoldsItAndTellsNobody feeds a file in which one fact of everybody in a county is wrong. The county is
// held, or its rows are refused, or they say nothing; whatever it is, nobody is told of a booking, a release or a bond that is
// not true, and the other county goes on.
func TestAMishapOfOneCountyHoldsItAndTellsNobody(t *testing.T) {
	t.Parallel()
	const held, refused, nothing = "held", "refused", "nothing"
	shift := func(d time.Duration) func(*detainee) bool {
		return func(p *detainee) bool {
			if p.booked = p.booked.Add(d); !p.out.IsZero() {
				p.out = p.out.Add(d)
			}
			return true
		}
	}
	bonds := func(text string) func(*detainee) bool {
		return func(p *detainee) bool {
			if text == "" || p.bond != "" {
				p.bond = text
			}
			return true
		}
	}
	stranger := func(p *detainee) bool {
		p.last, p.first = "XAVIER"+p.last[:3]+"SON", "ODETTE"+p.first
		return true
	}
	mishaps := []struct {
		name   string
		change func(*detainee) bool
		want   [5]string // by policy; empty: no guard sees it (docs/sources-rules.md)
	}{
		{"times of booking an hour later", shift(time.Hour), [5]string{held, held, held, held, held}},
		{"times of booking five hours earlier", shift(-5 * time.Hour), [5]string{held, held, held, held, held}},
		{"times of booking a day later", shift(24 * time.Hour), [5]string{held, held, held, held, held}},
		{"times of booking a day earlier", shift(-24 * time.Hour), [5]string{held, held, held, held, held}},
		{"other numbers", func(p *detainee) bool { p.key = "N" + p.key; return true }, [5]string{held, held, held, held, held}},
		{"no bonds", bonds(""), [5]string{nothing, nothing, held, held, held}},
		{"no bonds, in words", bonds("NO BOND"), [5]string{held, held, held, held, held}},
		{"bonds of one amount", bonds("$1.00"), [5]string{held, held, held, held, held}},
		{"bonds of one text", bonds("ASK THE CLERK"), [5]string{nothing, nothing, nothing, nothing, nothing}},
		{"no names", func(p *detainee) bool { p.last, p.first = "", ""; return true }, [5]string{refused, refused, refused, refused, refused}},
		{"no birth dates", func(p *detainee) bool { p.dob = ""; return true }, [5]string{held, held, held, held, held}},
		{"first and last names exchanged", func(p *detainee) bool { p.last, p.first = p.first, p.last; return true }, [5]string{held, held, held, held, held}},
		{"names of others", stranger, [5]string{held, held, held, held, held}},
		{"people of the other county", func(p *detainee) bool { p.key, p.last = "N"+p.key, p.last+neighbour; return true }, [5]string{held, held, held, held, held}},
		{"people of a county that nobody reads", func(p *detainee) bool { p.key = "N" + p.key; return stranger(p) }, [5]string{"", "", held, held, held}},
	}
	const wrong, right = "Appling", "Bacon" // counties
	const people = 24
	for _, m := range mishaps {
		for i, policy := range policies {
			if m.want[i] == "" {
				continue
			}
			t.Run(m.name+"/"+policy.name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s := published(t, i)
				lists := s.Complete.EndMarker
				b.runSource(s, "a.csv", f1(firstDay, people, lists, asBefore, wrong, right), firstDay)
				b.runSource(s, "b.csv", f1(firstDay.Add(6*time.Hour), people, lists, asBefore, wrong, right), firstDay.Add(6*time.Hour))
				before, since := one[int](b, `select count(*) from bookings where status = 'booked'`), lastChange(b)
				require.Equal(t, 2*people*3/4, before)

				at := firstDay.Add(12 * time.Hour)
				r := b.runSource(s, "c.csv", f1(at, people, lists, m.change, wrong, right), at)
				t.Log(r.Note)
				got := nothing
				switch {
				case b.sources()[models.ScopeID(s.ID, "appling")].State() == models.SourceHeld:
					got = held
				case r.Quarantined > 0:
					got = refused
				}
				require.Empty(t, eventsOf(b, wrong, since), r.String())
				require.Equal(t, m.want[i], got, r.String())
				require.Equal(t, before, one[int](b, `select count(*) from bookings where status = 'booked'`), r.String())
				require.Equal(t, "bond_change 1", eventsOf(b, right, since), "the other county goes on: %s", r)

				if got == held {
					b.discard(s)
				}
				at = at.Add(6 * time.Hour)
				since = lastChange(b)
				r = b.runSource(s, "d.csv", f1(at, people, lists, func(p *detainee) bool {
					if p.n == 0 {
						p.bond = "$7000.00"
					}
					return true
				}, wrong, right), at)
				require.Equal(t, source.RunOK, r.State, r.String())
				require.Equal(t, "bond_change 1", eventsOf(b, wrong, since), "what is right again is news: %s", r)
			})
		}
	}
}

// TestOrdinaryLifeIsNoMishap feeds what looks like a mishap and is none: nothing is held, and everybody is told.
func TestOrdinaryLifeIsNoMishap(t *testing.T) {
	t.Parallel()
	const county = "Appling"
	only := func(change map[int]func(*detainee)) func(*detainee) bool {
		return func(p *detainee) bool {
			if c := change[p.n]; c != nil {
				c(p)
			}
			return !p.gone
		}
	}
	gone := func(p *detainee) { p.gone = true }
	renewed := func(p *detainee) { p.key, p.last, p.booked = "B1", "HOLLOWAYNE", firstDay.Add(20*time.Hour) }
	bond := func(p *detainee) { p.bond = "$9000.00" }
	hearing := func(p *detainee) bool {
		if p.n%2 == 0 && p.n < 24 { // twelve of the twenty who have a bond
			p.bond = fmt.Sprintf("$%d.00", 5000+100*p.n)
		}
		return true
	}
	cases := []struct {
		name     string
		people   int
		change   func(*detainee) bool
		policies []int
		events   string
	}{
		{"one of three leaves, one comes and one gets another bond", 4, only(map[int]func(*detainee){0: gone, 1: renewed, 2: bond}), []int{2, 3}, "bond_change 1, booking 1, release 2"},
		{"five people in a file of changes", 12, func(p *detainee) bool {
			switch p.n {
			case 0:
				bond(p)
			case 1:
				p.booked = p.booked.Add(20 * time.Minute) // corrected
			case 2:
				p.out = firstDay.Add(20 * time.Hour)
			case 3:
				p.out = time.Time{}
				renewed(p)
			case 4:
				p.dob = "1990-01-01"
			}
			return p.n < 5
		}, []int{0}, "bond_change 1, booking 1, release 1"},
		{"a day of hearings", 40, hearing, []int{0, 1, 2, 3}, "bond_change 12"},
		{"nothing happens", 24, asBefore, []int{0, 1, 2, 3, 4}, ""},
		{"a file of newcomers, of whom one was booked long ago", 24, func(p *detainee) bool {
			if p.n > 0 {
				p.booked = firstDay.Add(time.Duration(p.n) * time.Hour)
			}
			p.key, p.last, p.out = fmt.Sprintf("B%d", p.n), p.last+"E", time.Time{}
			return p.n < 12
		}, []int{0, 1}, "booking 12"},
		{"a file of nothing but numbers that other people have, who are few", 24, func(p *detainee) bool {
			p.last, p.first = "HOLLOWAYNE", "ODETTE"
			return p.n < 4
		}, []int{1}, ""},
	}
	for _, c := range cases {
		for _, i := range c.policies {
			t.Run(c.name+"/"+policies[i].name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s := published(t, i)
				lists := s.Complete.EndMarker
				r := b.runSource(s, "a.csv", f1(firstDay, c.people, lists, asBefore, county, "Bacon"), firstDay)
				require.Equal(t, []any{source.RunOK, 2 * c.people}, []any{r.State, r.New}, r.String())
				since := lastChange(b)
				at := firstDay.Add(24 * time.Hour)
				r = b.runSource(s, "b.csv", f1(at, c.people, lists, c.change, county, "Bacon"), at)
				require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.String())
				require.Equal(t, c.events, eventsOf(b, county, since), r.String())
			})
		}
	}
}

// TestAClockThatChangesIsNoMishap reads the same people before and after the night in which March loses an hour: the file
// writes EST all year, and means the clock on the wall.
func TestAClockThatChangesIsNoMishap(t *testing.T) {
	t.Parallel()
	for i, policy := range policies {
		t.Run(policy.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := published(t, i)
			lists := s.Complete.EndMarker
			evening := time.Date(2026, 3, 8, 2, 0, 0, 0, time.UTC) // in Georgia still the day before
			b.runSource(s, "a.csv", f1(evening, 12, lists, asBefore, "Appling", "Bacon"), evening)
			since := lastChange(b)
			r := b.runSource(s, "b.csv", f1(evening.Add(12*time.Hour), 12, lists, asBefore, "Appling", "Bacon"), evening.Add(12*time.Hour))
			require.Equal(t, source.RunOK, r.State, r.String())
			require.Empty(t, eventsOf(b, "Appling", since), r.String())
			require.Zero(t, r.New+r.Closed, r.String())
		})
	}
}

// TestTheFirstFileOfACountyIsNoMishap reads a county that the source did not name before, beside one that is known.
func TestTheFirstFileOfACountyIsNoMishap(t *testing.T) {
	t.Parallel()
	for i, policy := range policies {
		t.Run(policy.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := published(t, i)
			lists := s.Complete.EndMarker
			b.runSource(s, "a.csv", f1(firstDay, 12, lists, asBefore, "Bacon"), firstDay)
			at := firstDay.Add(time.Hour)
			r := b.runSource(s, "b.csv", f1(at, 12, lists, asBefore, "Appling", "Bacon"), at)
			require.Equal(t, []any{source.RunOK, 12}, []any{r.State, r.New}, r.String())
			require.Empty(t, eventsOf(b, "Appling", 0), "people booked long ago are no news: %s", r)
		})
	}
}

// TestARenumberedFileOfChangesIsTakenUpAgain releases a file of changes in which everybody has another number: the bookings are
// recognised under them, and nobody is told of a booking.
func TestARenumberedFileOfChangesIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	for _, i := range []int{0, 1} {
		t.Run(policies[i].name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := published(t, i)
			b.runSource(s, "a.csv", f1(firstDay, 12, false, asBefore, "Appling", "Bacon"), firstDay)
			since := lastChange(b)
			at := firstDay.Add(time.Hour)
			r := b.runSource(s, "b.csv", f1(at, 12, false, func(p *detainee) bool { p.key = "N" + p.key; return true }, "Appling", "Bacon"), at)
			require.Contains(t, r.Note, "12 of the 12 people it would book are known under other keys, by name and time of booking: its keys were renumbered")
			would, err := b.runner.Rehearse(t.Context(), s, *b.sources()[models.ScopeID(s.ID, "appling")].HeldRun)
			require.NoError(t, err)
			require.Equal(t, 12, would.Again)
			r, err = b.runner.Release(t.Context(), s, b.county("appling"), ingest.Decision{Renumbered: true})
			require.NoError(t, err)
			require.Equal(t, []any{source.RunOK, 0, 12}, []any{r.State, r.New, r.Adopted}, r.String())
			require.Empty(t, eventsOf(b, "Appling", since))
			require.Equal(t, 24, one[int](b, `select count(*) from bookings`))
		})
	}
}
