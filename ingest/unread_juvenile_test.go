package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestGuarantee11ARowThatCanNotBeReadAndSpeaksOfAJuvenileHidesTheBooking(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ row, want string }{
		"a flag":                     {`M1,"MOONSAIL, ORLA",soon,$1.00,THEFT,Y`, "maybe juvenile"},
		"no flag":                    {`M1,"MOONSAIL, ORLA",soon,$1.00,THEFT,N`, "public"},
		"the flag of another number": {`M2,"MOONSAIL, ORLA",soon,$1.00,THEFT,Y`, "public"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newCounty(t)
			s := accusedSource(t, "county-a")
			state := func() string {
				return one[string](f.bundle, `select coalesce(withheld::text, 'public') from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = 'M1'`)
			}
			f.load(s, accused(`M1,"MOONSAIL, ORLA",2026-02-01 01:30,$1.00,THEFT,N`), day)
			require.Equal(t, "public", state())
			r := f.load(s, accused(c.row), day.Add(time.Hour))
			require.Equal(t, source.RunPartial, r.State, r.String())
			require.Equal(t, 1, r.Quarantined)
			require.Equal(t, c.want, state())
			f.load(s, accused(`M1,"MOONSAIL, ORLA",2026-02-01 01:30,$2.00,THEFT,`), day.Add(2*time.Hour))
			require.Equal(t, c.want, state(), "a blank says nothing")
			f.hiding()
			if c.want != "public" {
				require.Len(t, f.waiting(), 1, "an operator is asked")
			}
		})
	}
}
