package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// accusedSource is a county of a test that tells charges too.
func accusedSource(t *testing.T, id string, pairs ...string) *ingest.Source {
	t.Helper()
	return sourceWith(t, id, append([]string{"bond]", "bond, charge, juvenile]", "bond: bond}", "bond: bond, juvenile: juvenile}", "person: {name: name}", "person: {name: name}\n  charge: {description: charge}"}, pairs...)...)
}

// accused are rows of such a county with the people whom every file lists.
func accused(rows ...string) string {
	all := append([]string{"id,name,booked,bond,charge,juvenile", `B1,"THISTLEDOWN, PIP",2026-02-01 09:00,$100.00,ARSON,N`, `B2,"STORMCROW, IDA",2026-02-01 09:30,$100.00,ARSON,N`}, rows...)
	return strings.Join(all, "\n") + "\n#end\n"
}

// mergedKeys is a county whose source tells two bookings of one person, merged by an operator.
func mergedKeys(t *testing.T, s *ingest.Source) *county {
	t.Helper()
	c := newCounty(t)
	c.load(s, accused(`M1,"MOONSAIL, ORLA",2026-02-01 01:30,$10.00,THEFT,N`, `M2,"MOONSAIL, ORLA B",2026-02-01 09:30,$20.00,THEFT,N`), day)
	id := func(key string) string {
		return one[string](c.bundle, `select b.id from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = $1`, key)
	}
	require.NoError(t, c.store.MergeBookings(t.Context(), id("M1"), id("M2")))
	c.events()
	c.since = one[int64](c.bundle, `select max(id) from record_changes`)
	return c
}

// merged is what is published of the merged person.
func (c *county) merged() string {
	c.Helper()
	return one[string](c.bundle, `select coalesce(string_agg(concat_ws(' ', name, to_char(georgia_clock(booked_at), 'HH24:MI'), bond_cents / 100, charges::text, status), '; '), 'nobody') from published_bookings where name like 'MOONSAIL%'`)
}

func TestTheOwnKeyOfAMergedBookingRulesWhileItIsListed(t *testing.T) {
	t.Parallel()
	s := accusedSource(t, "county-a")
	const first, second = `M1,"MOONSAIL, ORLA",2026-02-01 01:30,$10.00,THEFT,N`, `M2,"MOONSAIL, ORLA B",2026-02-01 09:30,$20.00,THEFT,N`
	own := "MOONSAIL, ORLA 01:30 10 {THEFT} booked"
	hours := func(n int) time.Time { return day.Add(time.Duration(n) * time.Hour) }
	told := func(row string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(row) }

	c := mergedKeys(t, s)
	r := c.load(s, accused(first, told(second, "THEFT", "DUI")), hours(1))
	require.Equal(t, []int{0, 0, 4}, []int{r.Changed, r.Closed, r.Unchanged}, r.String())
	require.Equal(t, own, c.merged())
	require.Empty(t, c.events())
	require.Empty(t, c.history(&c.since))

	t.Log("both change at once: one version of each fact, those of its own key")
	c.load(s, accused(told(first, "$10", "$30"), told(second, "$20", "$40", "THEFT", "DUI")), hours(2))
	require.Equal(t, "MOONSAIL, ORLA 01:30 30 {THEFT} booked", c.merged())
	require.Equal(t, "bond_change 0 30", c.events())
	require.Equal(t, "MOONSAIL bond_cents 1000>3000", c.history(&c.since))

	t.Log("the own key is gone: the other one rules, and yields again when it is back")
	r = c.load(s, accused(told(second, "$20", "$40", "THEFT", "DUI")), hours(3))
	require.Zero(t, r.Closed, r.String())
	c.load(s, accused(told(second, "$20", "$40", "THEFT", "DUI")), hours(4))
	require.Equal(t, "MOONSAIL, ORLA B 09:30 40 {DUI} booked", c.merged())
	require.Equal(t, "bond_change 0 40", c.events())
	c.load(s, accused(first, second), hours(5))
	require.Equal(t, own, c.merged())
	require.Equal(t, "bond_change 0 10", c.events())

	t.Log("who is gone from both is released once")
	require.Zero(t, c.load(s, accused(first), hours(6)).Closed)
	require.Equal(t, 1, c.load(s, accused(), hours(7)).Closed)
	require.Equal(t, "release 0", c.events())
}

func TestAMergedKeyThatTellsOfAJuvenileHidesTheBooking(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{
		"the own key as before": `M1,"MOONSAIL, ORLA",2026-02-01 01:30,$10.00,THEFT,N`, "the own key changed": `M1,"MOONSAIL, ORLA",2026-02-01 01:30,$30.00,THEFT,N`, "the own key not listed": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			young := accusedSource(t, "county-a")
			c := mergedKeys(t, young)
			c.load(young, accused(first, `M2,"MOONSAIL, ORLA B",2026-02-01 09:30,$20.00,THEFT,Y`), day.Add(time.Hour))
			require.Equal(t, "nobody", c.merged())
			c.load(young, accused(`M1,"MOONSAIL, ORLA",2026-02-01 01:30,$30.00,THEFT,N`, `M2,"MOONSAIL, ORLA B",2026-02-01 09:30,$20.00,THEFT,Y`), day.Add(2*time.Hour))
			require.Equal(t, "nobody", c.merged())
		})
	}
}
