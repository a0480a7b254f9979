package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// courtLinksOf lists the links of all cases as "number person confidence origin", sorted.
func (b *bundle) courtLinks() []string {
	b.Helper()
	return one[[]string](b, `select coalesce(array_agg(line order by line collate "C"), '{}') from (
 select concat_ws(' ', c.case_number, coalesce(k.id, o.gdc_id), l.confidence, l.origin) as line from court_links l join court_cases c on c.id = l.case_id
 left join bookings k on k.rid = l.rid left join corrections_records o on o.cid = l.cid) t`)
}

// caseID is the id of a case as GraphQL gives it.
func (b *bundle) caseID(number string) string {
	b.Helper()
	return one[string](b, `select 'case-' || k.slug || '-' || c.id from court_cases c join counties k on k.id = c.county_id where c.case_number = $1`, number)
}

const jailed = "fulton-2026-000001"

// defendant has a booking for burglary, a corrections record, a case with a birth date and one without.
func (b *bundle) defendant() {
	b.Helper()
	b.addCases(testdb.Booking{ID: jailed, Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY 1ST DEGREE"}},
		testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"},
		testdb.Case{Number: "C1", Defendant: "QUENTIN ABERNETHY", Offense: "BURGLARY"},
		testdb.Case{Number: "C2", Defendant: "ABERNETHY, QUENTIN E", Offense: "DUI", DOB: "1980-03-04"})
}

// addCases is add with court cases among the records.
func (b *bundle) addCases(records ...any) {
	b.Helper()
	b.add(records...)
	b.change(models.Courts, `update court_cases set gen = $1 where gen = 1`)
}

func TestCourtCasesFindTheirPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kase testdb.Case
		want []string
	}{
		"name, county and offense are low": {testdb.Case{Offense: "BURGLARY"}, []string{"C G1 low matched", "C fulton-2026-000001 low matched"}},
		"an equal birth date corroborates": {testdb.Case{Offense: "DUI", DOB: "1980-03-04"}, []string{"C G1 high matched", "C fulton-2026-000001 high matched"}},
		"a conflicting birth date vetoes":  {testdb.Case{Offense: "BURGLARY", DOB: "1961-07-30"}, []string{}},
		"another county has other people":  {testdb.Case{Offense: "BURGLARY", County: "cobb"}, []string{"C G1 low matched"}},
		"the court names the booking":      {testdb.Case{Offense: "DUI", Booking: "B77-2026"}, []string{"C G1 high matched", "C fulton-2026-000001 high matched"}},
		"a withheld case has no links":     {testdb.Case{Offense: "BURGLARY", DOB: "1980-03-04", Withheld: "juvenile"}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c.kase.Number, c.kase.Defendant = "C", "QUENTIN ABERNETHY"
			b.addCases(testdb.Booking{ID: jailed, Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY 1ST DEGREE"}},
				testdb.Booking{ID: "fulton-2026-000002", Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY"}, Withheld: "juvenile"},
				testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"}, c.kase)
			_, err := b.db.Pool.Exec(t.Context(), `update roster_claims set number = 'B772026' from bookings b where b.rid = record and b.id = $1`, jailed)
			require.NoError(t, err)
			b.link(false)
			require.Equal(t, c.want, b.courtLinks())
		})
	}
}

func TestLinksOfCasesFollowWhatChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.defendant()
	r := b.link(false)
	require.Equal(t, []int{2, 4, 0, 0}, []int{r.Cases, r.CasesMade, r.CasesChanged, r.CasesRemoved})
	all := []string{"C1 G1 low matched", "C1 fulton-2026-000001 low matched", "C2 G1 high matched", "C2 fulton-2026-000001 high matched"}
	require.Equal(t, all, b.courtLinks())
	require.Zero(t, b.link(false).Cases, "nothing changed")

	b.change(models.Courts, `update court_cases set offense = 'BURGLARY 2ND', gen = $1 where case_number = 'C1'`)
	require.Equal(t, 1, b.link(false).Cases)

	b.change(models.Roster, `update bookings set withheld = 'juvenile', gen = $1`)
	b.link(false)
	require.Equal(t, []string{"C1 G1 low matched", "C2 G1 high matched"}, b.courtLinks())
	b.change(models.Roster, `update bookings set withheld = null, gen = $1`)
	b.link(false)
	require.Equal(t, all, b.courtLinks(), "cases near a changed booking are looked at")

	b.change(models.Corrections, `update corrections_records set dob = '1961-07-30', gen = $1`)
	b.link(false)
	require.Equal(t, []string{"C1 fulton-2026-000001 low matched", "C2 fulton-2026-000001 high matched"}, b.courtLinks()[1:])
	b.change(models.Corrections, `update corrections_records set dob = '1980-03-04', gen = $1`)
	b.link(false)
	require.Equal(t, all, b.courtLinks(), "cases near a changed record are looked at")

	b.add(testdb.Booking{ID: "fulton-2026-000009", Name: "Quentin Abernethy", DOB: "1961-07-30", Charges: []string{"BURGLARY"}})
	b.link(false)
	incremental := b.courtLinks()
	require.NotContains(t, incremental, "C1 fulton-2026-000001 low matched", "two people fit the case without a birth date")
	require.Contains(t, incremental, "C2 fulton-2026-000001 high matched")
	b.link(true)
	require.Equal(t, incremental, b.courtLinks())
}

func TestVerdictsOnCasesOutlastEveryIngest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.defendant()
	b.add(testdb.Offender{GdcID: "G9", Name: "MOONSAIL, ORLA", DOB: "1990-05-05"})
	b.link(false)
	decide := func(number, person string, verdict models.LinkChoice) {
		t.Helper()
		require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID(number), person, verdict))
	}
	decide("C2", jailed, models.LinkDismissed)
	decide("C1", "G9", models.LinkConfirmed)
	want := []string{"C1 G9 high operator", "C1 fulton-2026-000001 low matched", "C2 G1 high matched"}
	require.Equal(t, want, b.courtLinks(), "at once; a defendant is one person")
	b.link(false)
	b.link(true)
	require.Equal(t, want, b.courtLinks())

	b.change(models.Courts, `delete from court_cases where $1 > 0`)
	b.addCases(testdb.Case{Number: "C1", Defendant: "QUENTIN ABERNETHY", Offense: "BURGLARY"}, testdb.Case{Number: "C2", Defendant: "ABERNETHY, QUENTIN E", Offense: "DUI", DOB: "1980-03-04"})
	b.link(false)
	require.Equal(t, want, b.courtLinks(), "the cases came back under their numbers")

	decide("C1", "G9", models.LinkDismissed)
	decide("C2", jailed, models.LinkConfirmed)
	b.link(false)
	require.Equal(t, []string{"C1 G1 low matched", "C1 fulton-2026-000001 low matched", "C2 G1 high matched", "C2 fulton-2026-000001 high operator"}, b.courtLinks())

	for _, pair := range [][2]string{{"case-fulton-999999", jailed}, {b.caseID("C1"), "G404"}, {"case-cobb-" + b.caseID("C1")[len("case-fulton-"):], jailed}, {"nonsense", jailed}} {
		require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.DecideCourtLink(t.Context(), pair[0], pair[1], models.LinkConfirmed)))
	}
}

func TestExplanationsOfCasesSayWhatDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.defendant()
	b.add(testdb.Booking{ID: "cobb-2026-000001", County: "cobb", Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY"}})
	b.link(false)
	e, err := b.linker().ExplainCourt(t.Context(), b.caseID("C1"), jailed)
	require.NoError(t, err)
	require.Equal(t, "low", e.Confidence)
	require.Subset(t, e.Reasons, []string{"surname agrees", "same county", "offense agrees with a charge"})
	require.Contains(t, e.Notes[0], "The two are linked (low, matched)")

	e, err = b.linker().ExplainCourt(t.Context(), b.caseID("C2"), "G1")
	require.NoError(t, err)
	require.Equal(t, "high", e.Confidence)

	e, err = b.linker().ExplainCourt(t.Context(), b.caseID("C1"), "cobb-2026-000001")
	require.NoError(t, err)
	require.Empty(t, e.Confidence)
	require.Contains(t, e.Notes[0], "another county")

	require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("C1"), jailed, models.LinkDismissed))
	e, err = b.linker().ExplainCourt(t.Context(), b.caseID("C1"), jailed)
	require.NoError(t, err)
	require.Equal(t, []string{"An operator dismissed this pair.", "The two are not linked."}, e.Notes)
}

func TestLinksOfCasesReadTheSameFromAllSides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.defendant()
	b.link(false)
	keys := func(query string) []int64 { return one[[]int64](b, query) }
	cases, err := b.store.CourtLinksOfCases(t.Context(), keys(`select array_agg(id) from court_cases`))
	require.NoError(t, err)
	bookings, err := b.store.CourtLinksOfBookings(t.Context(), keys(`select array_agg(rid) from bookings`))
	require.NoError(t, err)
	records, err := b.store.CourtLinksOfRecords(t.Context(), keys(`select array_agg(cid) from corrections_records`))
	require.NoError(t, err)
	seen := 0
	for _, links := range cases {
		for _, l := range links {
			back := records
			key := l.CID
			if l.RID != nil {
				back, key = bookings, l.RID
			}
			require.Contains(t, back[*key], l)
			seen++
		}
	}
	require.Equal(t, 4, seen)

	// Withheld after the run: the link is not shown from then on, whenever the next run is.
	b.change(models.Roster, `update bookings set withheld = 'juvenile', gen = $1`)
	cases, err = b.store.CourtLinksOfCases(t.Context(), keys(`select array_agg(id) from court_cases`))
	require.NoError(t, err)
	for _, links := range cases {
		require.Len(t, links, 1)
		require.Nil(t, links[0].RID)
	}
}
