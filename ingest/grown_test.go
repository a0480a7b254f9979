package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// told is a row of one booking as agedSource reads it: birth date and age.
type told struct{ born, age string }

func TestGuarantee11AnAgeThatCanNotBeReadTakesNothingFromAnAdultWhoIsProven(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []told // day by day
		want string // of the last
	}{
		"an age that was read before":                               {[]told{{"", "34"}, {"", "thirty"}}, "public"},
		"an age that was read on the second day":                    {[]told{{"", ""}, {"", "34"}, {"", "thirty"}}, "public"},
		"again and again":                                           {[]told{{"", "34"}, {"", "thirty"}, {"", "SEE FILE"}, {"", "3A"}, {"", "4O"}, {"", "163"}}, "public"},
		"a birth date that was read before":                         {[]told{{"05/05/1986", ""}, {"", "thirty"}}, "public"},
		"a birth date, against which a number of a child is a slip": {[]told{{"05/05/1986", ""}, {"", "16-17"}}, "public"},
		"a year of birth":                                           {[]told{{"1986", ""}, {"", "thirty"}}, "public"},
		"a birth date that can not be read":                         {[]told{{"", "34"}, {"soon", ""}}, "public"},
		"nothing is proven":                                         {[]told{{"", ""}, {"", "thirty"}}, "maybe juvenile"},
		"the first row":                                             {[]told{{"", "thirty"}}, "maybe juvenile"},
		"a number of a child":                                       {[]told{{"", "34"}, {"", "16-17"}}, "maybe juvenile"},
		"a number of a child with a blank in it":                    {[]told{{"", "34"}, {"", "1 6"}}, "maybe juvenile"},
		"a number of a child with a letter for a digit":             {[]told{{"", "34"}, {"", "I6"}}, "maybe juvenile"},
		"a number of a child with a sign":                           {[]told{{"", "34"}, {"", "-16"}}, "maybe juvenile"},
		"a child's number in words":                                 {[]told{{"", "34"}, {"", "sixteen"}}, "maybe juvenile"},
		"months":                                                    {[]told{{"", "34"}, {"", "200 months"}}, "maybe juvenile"},
		"a word that may mean a child":                              {[]told{{"", "34"}, {"", "under 18"}}, "maybe juvenile"},
		"a child's number where the birth date belongs":             {[]told{{"", "34"}, {"16 yrs", ""}}, "maybe juvenile"},
		"a juvenile":                                                {[]told{{"", "34"}, {"", "JUV"}}, "juvenile"},
		"a year of birth that leaves it open":                       {[]told{{"2009", ""}, {"", "thirty"}}, "maybe juvenile"},
		"whoever waits for a review goes on waiting":                {[]told{{"", "thirty"}, {"", "34"}, {"", "thirty"}}, "maybe juvenile"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for i, row := range c.rows {
				r := b.runSource(agedSource(t), "roster.csv", "id,name,booked,bond,born,age\nK1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00,"+row.born+","+row.age+"\n#end\n", day.AddDate(0, 0, i))
				if i > 0 && i == len(c.rows)-1 && c.want != "juvenile" && strings.Trim(row.born+row.age, "0123456789/") != "" {
					require.NotEmpty(t, r.Dropped, "what can not be read is counted")
				}
			}
			require.Contains(t, shown(b), c.want+" booked")
		})
	}
}

func TestWhoGetsTheNumberOfAnAdultIsNoneForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	load := func(days int, row string) {
		t.Helper()
		b.runSource(agedSource(t), "roster.csv", "id,name,booked,bond,born,age\n"+row+"K2,\"THISTLEDOWN, PIP\",2026-01-05 11:00,$1.00,05/05/1980,\n#end\n", day.AddDate(0, 0, days))
	}
	load(0, "K1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00,,34\n")
	load(1, "")
	load(2, "")
	load(9, "K1,\"MOONSAIL, ORLA\",2026-02-08 10:00,$1.00,,thirty\n")
	require.Equal(t, []string{"2026-01-05 public", "2026-02-08 maybe juvenile"},
		one[[]string](b, `select array_agg(georgia_clock(booked_at)::date || ' ' || coalesce(withheld::text, 'public') order by booked_at) from bookings where name like 'MOONSAIL%'`))
}
