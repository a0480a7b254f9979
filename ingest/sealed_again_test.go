package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fourStay are people of a jail who stay in it, so that one who goes or comes is nothing strange.
var fourStay = []string{
	`C1,"THISTLEDOWN, PIP",2026-01-02 10:00,$1.00,07/11/1985`, `C2,"QUILLFEATHER, WREN",2026-01-03 11:00,$1.00,07/12/1985`,
	`C3,"STORMCROW, ORLA",2026-01-04 12:00,$1.00,07/13/1985`, `C4,"BRAMBLEWOOD, FINN",2026-01-04 13:00,$1.00,07/14/1985`,
}

func TestAnAlikeNameWithinOneSourceWithholdsNothing(t *testing.T) {
	t.Parallel()
	jail := func(rows ...string) string { return bornList(append(rows, fourStay...)...) }
	again := func(bond string) string { return `A9,"MOONSAIL, KARL",2026-01-06 05:45,` + bond + "," }
	for name, c := range map[string]struct {
		files []string
		told  string // kinds of the changes of the new number
	}{
		"the known number is gone as the new one comes":    {[]string{jail(carl), jail(again("$1.00"))}, "booking"},
		"it was gone before":                               {[]string{jail(carl), jail(), jail(again("$1.00"))}, "booking"},
		"the new row changes":                              {[]string{jail(carl), jail(again("$1.00")), jail(again("$2.00"))}, "booking bond_change"},
		"one snapshot lists both":                          {[]string{jail(carl), jail(carl, again("$1.00")), jail(again("$1.00")), jail(again("$2.00"))}, "booking bond_change"},
		"the first snapshot lists both":                    {[]string{jail(carl, again("$1.00")), jail(again("$2.00"))}, "booking bond_change"},
		"both are there, the juvenile's came later":        {[]string{jail(again("$1.00")), jail(carl, again("$1.00")), jail(again("$2.00"))}, "booking bond_change"},
		"the juvenile's number comes as the other is gone": {[]string{jail(again("$1.00")), jail(carl)}, "booking release"},
		"an adult's birth date":                            {[]string{jail(carl), jail(again("$1.00") + "07/11/1985")}, "booking"},
		"the year of an adult":                             {[]string{jail(carl), jail(again("$1.00") + "1985")}, "booking"},
		"somebody else":                                    {[]string{jail(carl), jail(strings.Replace(again("$1.00"), "MOONSAIL", "HOLLOWAY", 1))}, "booking"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.runner.BaselineWindow = 365 * 24 * time.Hour
			tells, _ := twoFeeds(t)
			for i, text := range c.files {
				at := day.Add(time.Duration(i) * time.Hour)
				b.now = b.now.Add(time.Hour)
				b.runSource(tells, "a.csv", text, at)
			}
			b.hiding()
			require.Equal(t, "juvenile", one[string](b, `select withheld from bookings where name like '%CARL'`))
			require.Equal(t, "public", one[string](b, `select coalesce(withheld::text, 'public') from bookings where name like '%, KARL'`))
			require.Equal(t, c.told, one[string](b, `select coalesce(string_agg(kind, ' ' order by id), '') from changes where name like '%, KARL'`))
			require.Empty(t, b.waiting())
		})
	}
}
