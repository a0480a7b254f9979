package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestGuarantee11WhomTheNumberOfAPersonShowsToBeAJuvenileIsNotPublished(t *testing.T) {
	t.Parallel()
	const june = "2026-06-20 10:00"
	for name, c := range map[string]struct {
		first string // birth of the person's first booking
		again string // the row of her second
		want  string
	}{
		"without a birth":              {"03/05/2010", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,,P1`, "maybe juvenile"},
		"another spelling":             {"03/05/2010", `K9,"MOONSAIL, ORLAH",` + june + `,$1.00,,P1`, "maybe juvenile"},
		"only the year":                {"2010", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,,P1`, "maybe juvenile"},
		"of age in the meantime":       {"03/05/2009", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,,P1`, "public"},
		"an adult's birth date":        {"03/05/2010", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,03/05/1990,P1`, "public"},
		"the number of somebody else":  {"03/05/2010", `K9,"BRACKENRIDGE, TOLLIVER",` + june + `,$1.00,,P1`, "public"},
		"another number of the person": {"03/05/2010", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,,P7`, "public"},
		"an adult before":              {"03/05/1990", `K9,"MOONSAIL, ORLA",` + june + `,$1.00,,P1`, "public"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
			b.runner.BaselineWindow = 365 * 24 * time.Hour
			s, list := numberedPeople(t), numberedList
			b.runSource(s, "a.csv", list(`K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,`+c.first+`,P1`), day)
			b.runSource(s, "a.csv", list(), day.AddDate(0, 0, 1))
			for i, row := range []string{c.again, strings.Replace(c.again, "$1.00", "$2.00", 1)} {
				b.runSource(s, "a.csv", list(row), time.Date(2026, 6, 21+i, 12, 0, 0, 0, time.UTC))
				require.Equal(t, c.want, one[string](b, `select coalesce(withheld::text, 'public') from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = 'K9'`))
			}
			b.hiding()
			told := one[int](b, `select count(*) from changes c join roster_claims g on g.record = c.rid where g.stay = 0 and g.key = 'K9'`)
			require.Equal(t, c.want == "public", told > 0)
			if c.want != "public" {
				require.Len(t, b.waiting(), 1, "an operator is asked")
			}
		})
	}
}

func TestGuarantee11AnEarlierBookingOfAPersonWhoTurnsOutToBeAJuvenileIsHidden(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ later, want string }{
		"a birth date":      {`K9,"MOONSAIL, ORLA",2026-06-20 10:00,$1.00,03/05/2010,P1`, "maybe juvenile"},
		"an adult's":        {`K9,"MOONSAIL, ORLA",2026-06-20 10:00,$1.00,03/05/1990,P1`, "public"},
		"somebody else's":   {`K9,"BRACKENRIDGE, TOLLIVER",2026-06-20 10:00,$1.00,03/05/2010,P1`, "public"},
		"of another number": {`K9,"MOONSAIL, ORLA",2026-06-20 10:00,$1.00,03/05/2010,P7`, "public"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
			s := numberedPeople(t)
			b.runSource(s, "a.csv", numberedList(`K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,,P1`), day)
			state := func() string {
				return one[string](b, `select coalesce(withheld::text, 'public') from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = 'K1'`)
			}
			require.Equal(t, "public", state())
			b.runSource(s, "a.csv", numberedList(c.later), time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC))
			require.Equal(t, c.want, state())
			b.hiding()
		})
	}
}

// numberedPeople is a source that numbers people.
func numberedPeople(t *testing.T) *ingest.Source {
	t.Helper()
	return sourceWith(t, "county-a", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born, pid]",
		"person: {name: name}", "person: {name: name, number: pid, dob: {from: born, layouts: ['01/02/2006', '2006']}}",
		"strength: source}]}", "strength: source}], person: [{of: [person.number], strength: source}]}")
}

// numberedList is a file of that source, with somebody who stays.
func numberedList(rows ...string) string {
	return "id,name,booked,bond,born,pid\n" + strings.Join(append(rows, `K2,"THISTLEDOWN, PIP",2026-01-05 11:00,$1.00,05/05/1980,P2`), "\n") + "\n#end\n"
}
