package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestGuarantee4TheCountInTheLastLineProvesAFileWhole(t *testing.T) {
	t.Parallel()
	whole := strings.Replace(roster(6), "#end", "#END 6", 1)
	left := func(trailer string) string { return strings.Replace(roster(6, 3), "#end\n", trailer, 1) }
	first := strings.Split(whole, "\n")[1] + "\n"
	twice := func(trailer string) string { return strings.Replace(left(trailer), first, first+first, 1) }
	cases := []struct {
		name, text string
		complete   bool
		closed     int
		doubt      string
	}{
		{"the right count", left("#END 5\n"), true, 1, ""},
		{"the right count in a line that is not ended", left("TRAILER,5"), true, 1, ""},
		{"too few rows", left("#END 6\n"), false, 0, "it declares 6 rows and has 5"},
		{"too many rows", left("#END 4\n"), false, 0, "it declares 4 rows and has 5"},
		{"a row stands twice in another's place", twice("#END 6\n"), false, 0, "it declares 6 rows and 1 of them came twice, so others may be missing"},
		{"a row stands twice and is counted once", twice("#END 5\n"), true, 1, ""},
		{"the number is cut", left("#END "), false, 0, "it declares no total"},
		{"the line is missing", left(""), false, 0, "it declares no total"},
		{"rows come after it, and the right count after them", strings.Replace(left("#END 5\n"), "K5,", "#END 5\nK5,", 1), true, 1, ""},
		{"the file goes on after it", left("#END 5\n") + "K9,\"MOONSAIL, ORLA\",2026-01-05 11:00,$500.00\n", false, 0, "it declares no total"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a", `end_marker: "#end"`, `total: '^(?:#END |TRAILER,)(\d+)'`, "end_marker: true", "total: true")
			r := b.runSource(s, "roster.csv", whole, day)
			require.Equal(t, []any{true, 6, 0}, []any{r.Complete, r.New, r.Quarantined}, r.String())
			r = b.runSource(s, "roster.csv", c.text, day.AddDate(0, 0, 1))
			require.Equal(t, []any{c.complete, c.closed}, []any{r.Complete, r.Closed}, r.String())
			if c.doubt != "" {
				require.Contains(t, r.Doubts, c.doubt)
			}
			require.Equal(t, c.closed, one[int](b, `select count(*) from bookings where status = 'released'`))
		})
	}
}

func TestATotalThatFindsNoNumberIsRefused(t *testing.T) {
	t.Parallel()
	text := fmt.Sprintf(rosterDocument, "county-a", 1)
	for pattern, want := range map[string]string{
		`^#END \d+`:       `decode.total: "^#END \\d+" has 0 groups and needs one, the number: '^#END (\d+)'`,
		`^(#END) (\d+)`:   `decode.total: "^(#END) (\\d+)" has 2 groups and needs one`,
		`#END (\d+)`:      `decode.total: "#END (\\d+)" must begin with ^, the beginning of the line`,
		`^#END (`:         `decode.total: "^#END (" is not a regular expression; for format csv it finds the number in the last line`,
		`total_row_count`: `decode.total: "total_row_count" has 0 groups`,
	} {
		_, err := ingest.Parse([]byte(strings.Replace(text, `end_marker: "#end"`, `end_marker: "#end", total: '`+pattern+`'`, 1)))
		require.ErrorContains(t, err, want)
	}
}

func TestASampleWithAnotherNumberOfRowsThanItDeclaresIsTold(t *testing.T) {
	t.Parallel()
	s := sourceWith(t, "county-a", `end_marker: "#end"`, `total: '^#END (\d+)'`, "end_marker: true", "total: true")
	for trailer, want := range map[string]string{
		"#END 6": "", "#END 7": "decode.total: the sample declares 7 rows and has 6", "#END": "decode.total: the last line of the sample does not match",
	} {
		p, err := s.Preview("roster.csv", []byte(strings.Replace(roster(6), "#end", trailer, 1)), someCounties(), seen)
		require.NoError(t, err)
		require.Equal(t, want, p.Doubt)
	}
}
