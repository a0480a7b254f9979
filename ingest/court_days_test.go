package ingest_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// TestDaysOfAClerkHoldNoCounty plays what clerks send on ordinary days, in large and small counties.
func TestDaysOfAClerkHoldNoCounty(t *testing.T) {
	t.Parallel()
	disposed := func(cases int) func(*docket) {
		return func(d *docket) {
			if d.left = d.n >= cases; !d.left {
				d.disposed = "02/01/2026"
			}
		}
	}
	days := []struct {
		name   string
		cases  int
		change func(*docket)
	}{
		{"200 of 400 cases are closed after a plea day", 400, disposed(200)},
		{"a monthly day of the court closes 28 of 40", 40, disposed(28)},
		{"a small court closes all of its 24 cases", 24, disposed(24)},
		{"four citations of four stops come a day after their first ones", 30, func(d *docket) {
			d.number, d.left = "N"+d.number, d.n >= 4
		}},
		{"a clerk corrects the days of filing of a batch of six", 30, func(d *docket) {
			d.left = d.n >= 6
			d.filed = d.filed.AddDate(0, 0, -1)
		}},
		{"a clerk corrects fifteen days of filing, each otherwise", 30, func(d *docket) {
			d.left = d.n >= 15
			d.filed = d.filed.AddDate(0, 0, -1-d.n%3)
		}},
		{"a clerk files a batch of five again under new numbers", 30, func(d *docket) {
			d.number, d.left = "N"+d.number, d.n >= 5
		}},
		{"five cases are sealed, and renamed", 30, func(d *docket) {
			d.left = d.n >= 5
			d.last, d.first = "RESTRICTED", ""
		}},
	}
	for _, policy := range courtPolicies {
		for _, day := range days {
			t.Run(policy+"/"+day.name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				s := courtSource(t, policy)
				b.runSource(s, "a_20260201_120000.txt", manyCases(day.cases, func(*docket) {}), firstDay)
				b.now = b.now.Add(24 * time.Hour)
				r := b.runSource(s, "b_20260202_120000.txt", manyCases(day.cases, day.change), firstDay.AddDate(0, 0, 1))
				require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "clarke")].State(), r.Note)
			})
		}
	}
}

// manyCases writes the cases of a county, as change leaves them, without their charges.
func manyCases(cases int, change func(*docket)) string {
	var out strings.Builder
	for n := range cases {
		d := docket{
			n: n, number: fmt.Sprintf("SU-26-%d", 1000+n), last: surnames[n%20] + string(rune('A'+n/20)), first: "WREN",
			born: fmt.Sprintf("%02d/%02d/19%02d", 1+n%12, 1+n%28, 50+n%40), filed: firstDay.AddDate(0, 0, -n%60),
		}
		change(&d)
		if !d.left {
			fmt.Fprintf(&out, "CA\tClarke\tSU\t1\t%s\t%s\t%s\t\t%s\t%s\t\t\t\t%s\tW\tF\t\t\t\n", d.number, d.last, d.first, d.filed.Format("01/02/2006"), d.disposed, d.born)
		}
	}
	return out.String()
}

// citation is a case of a traffic court that was filed on a day.
func citation(number, last string, filed time.Time, bail string) string {
	return fmt.Sprintf("CA\tClarke\tST\t1\t%s\t%s\tWREN\t\t%s\t\t\t%s\t\t07/07/1980\tW\tF\t\t\t\n", number, last, filed.Format("01/02/2006"), bail)
}

// A busy clerk: four defendants of yesterday have a second citation of that day, beside three new people and twenty known cases.
func TestSecondCitationsOfADayHoldNoCounty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := courtSource(t, "delta")
	var before, after strings.Builder
	for n := range 40 {
		before.WriteString(citation(fmt.Sprintf("E%d", 1000+n), surnames[n%20]+string(rune('A'+n/20)), firstDay.AddDate(0, 0, -n/8), ""))
	}
	for n := range 4 {
		after.WriteString(citation(fmt.Sprintf("E%d", 2000+n), surnames[n%20]+"A", firstDay, ""))
	}
	for n := range 3 {
		after.WriteString(citation(fmt.Sprintf("E%d", 2100+n), surnames[n]+"SON", firstDay.AddDate(0, 0, 1), ""))
	}
	for n := 10; n < 30; n++ {
		after.WriteString(citation(fmt.Sprintf("E%d", 1000+n), surnames[n%20]+string(rune('A'+n/20)), firstDay.AddDate(0, 0, -n/8), "500.00"))
	}
	b.runSource(s, "a_20260201_120000.txt", before.String(), firstDay)
	b.now = b.now.Add(24 * time.Hour)
	r := b.runSource(s, "b_20260202_120000.txt", after.String(), firstDay.AddDate(0, 0, 1))
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "clarke")].State(), r.Note)
}

// A clerk's export of one day comes in two parts, and each of many defendants has a citation in each.
func TestTwoPartsOfOneDaysCitationsHoldNoCounty(t *testing.T) {
	t.Parallel()
	for _, defendants := range []int{6, 40} {
		t.Run(strconv.Itoa(defendants), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := courtSource(t, "delta")
			part := func(first int) string {
				var out strings.Builder
				for n := range defendants {
					out.WriteString(citation(fmt.Sprintf("E%d", first+n), surnames[n%20]+string(rune('A'+n/20)), firstDay, ""))
				}
				return out.String()
			}
			b.runSource(s, "cases-1_20260201_120000.txt", part(1000), firstDay)
			r := b.runSource(s, "cases-2_20260201_120000.txt", part(2000), firstDay)
			require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "clarke")].State(), r.Note)
		})
	}
}

// The document of a court did not read whether a case is over. It is corrected, and the file is read again.
func TestACorrectedCourtDocumentIsReadAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wrong, right := courtSource(t, "delta"), courtSource(t, "delta")
	delete(wrong.Fields["case"].Fields, "status")
	first := b.runSource(wrong, "a_20260201_120000.txt", clerkFile(40, func(d *docket) { d.disposed = "02/01/2026" }, "Clarke", "Bacon"), firstDay)
	b.now = b.now.Add(time.Hour)
	r, err := b.runner.Replay(t.Context(), right, first.Run)
	require.NoError(t, err)
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(right.ID, "clarke")].State(), r.Note)
	require.Equal(t, 40, one[int](b, `select count(*) from court_cases where status = 'closed'`))
}
