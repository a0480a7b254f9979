package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// agedSource is the source of rosterSource with dates of birth and ages.
func agedSource(t *testing.T) *ingest.Source {
	t.Helper()
	return sourceWith(t, "aged", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born, age]",
		"person: {name: name}", "person: {name: name, age: age, dob: {from: born, layouts: ['01/02/2006', '2006']}}")
}

func TestGuarantee11AnAgeIsThatOfTheSnapshotAndNotOfTheBooking(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var rows strings.Builder
	rows.WriteString("id,name,booked,bond,born,age\n")
	cases := []struct{ name, booked, born, age, want string }{
		{"SEVENTEEN TODAY", "2026-02-01 06:00", "", "17", "public"},
		{"SEVENTEEN FOR MONTHS", "2025-10-01 10:00", "", "17", "maybe juvenile"},
		{"SEVENTEEN YEARS LATER", "2024-01-05 10:00", "", "17", "juvenile"},
		{"EIGHTEEN LATER", "2024-01-05 10:00", "", "18", "juvenile"},
		{"NINETEEN LATER", "2024-01-05 10:00", "", "19", "maybe juvenile"},
		{"TWENTY LATER", "2024-01-05 10:00", "", "20", "public"},
		{"SIXTEEN TODAY", "2026-02-01 06:00", "", "16", "juvenile"},
		{"SIXTEEN IN WORDS", "2026-02-01 06:00", "", "16 yrs", "juvenile"},
		{"CONTRADICTED DATE", "2026-01-05 10:00", "05/05/1986", "16", "maybe juvenile"},
		{"CONTRADICTED YEAR", "2026-01-05 10:00", "2010", "40", "maybe juvenile"},
		{"YOUNG BY YEAR", "2026-01-05 10:00", "2010", "", "juvenile"},
		{"PERHAPS YOUNG BY YEAR", "2026-01-05 10:00", "2009", "", "maybe juvenile"},
		{"TWO DIGITS YOUNG", "2026-01-05 10:00", "5/5/10", "", "maybe juvenile"},
		{"TWO DIGITS OLD", "2026-01-05 10:00", "5/5/86", "", "public"},
		{"ADULT BY DATE", "2026-01-05 10:00", "05/05/1986", "39", "public"},
		{"ADULT BY YEAR", "2025-01-05 10:00", "2007", "18", "public"},
		{"ADULT BY AGE", "2025-01-05 10:00", "", "44", "public"},
		{"OF SEVENTEEN BY DATE", "2026-01-31 10:00", "01/30/2009", "17", "public"},
		{"OF NO AGE", "2026-01-05 10:00", "", "", "public"},
		{"OF AGE NOUGHT", "2026-01-05 10:00", "", "0", "public"},
	}
	for i, c := range cases {
		fmt.Fprintf(&rows, "%c,%q,%s,$1.00,%s,%s\n", 'a'+rune(i), c.name, c.booked, c.born, c.age)
	}
	b.runSource(agedSource(t), "roster.csv", rows.String()+"#end\n", day)
	for _, c := range cases {
		require.Equal(t, c.want, one[string](b, `select coalesce(withheld::text, 'public') from bookings where name = $1`, c.name), c.name)
	}
}

func TestWhoWasSeventeenAtTheBookingStaysPublic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	load := func(days int, age, bond string) {
		t.Helper()
		b.runSource(agedSource(t), "roster.csv", "id,name,booked,bond,born,age\nK1,\"MOONSAIL, ORLA\",2026-02-01 06:00,"+bond+",,"+age+"\n#end\n", day.AddDate(0, 0, days))
	}
	load(0, "17", "$1.00")
	load(1, "17", "$1.00")
	load(2, "17", "$2.00")
	require.Contains(t, shown(b), "public booked")
	load(3, "16", "$2.00")
	require.Contains(t, shown(b), "juvenile booked")
	load(4, "17", "$3.00")
	require.Contains(t, shown(b), "juvenile booked", "a doubtful age takes no juvenile's seal away")
}

func TestAHeldSnapshotOfEveryFamilyCanBeTriedOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for source, file := range map[string]string{"common-csv": "clarke_2017-11-14_06-30-00.csv", "court-delta": "delta.txt", "corrections-fixed": "offenders_20260105.txt"} {
		r := b.run(source, file, b.sample(source, file), b.now)
		s, err := ingest.Load(source)
		require.NoError(t, err)
		would, err := b.runner.Rehearse(t.Context(), s, r.Run)
		require.NoError(t, err, source)
		require.Equal(t, r.Parsed, would.Rows, source)
	}
}
