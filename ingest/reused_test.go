package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestGuarantee6ANumberThatIsUsedAgainIsANewBooking(t *testing.T) {
	t.Parallel()
	const stay = `K1,"MOONSAIL, ORLA",2026-01-10 10:00,$500.00,2026-01-15 08:00`
	cases := []struct {
		name, first, then string
		bookings          string
		events            string
	}{
		{"by the same person", stay, `K1,"MOONSAIL, ORLA",2026-02-01 20:00,$50.00,`, "10 MOONSAIL, ORLA 50000 released; 01 MOONSAIL, ORLA 5000 booked", "booking 0"},
		{"by another person", stay, `K1,"BRACKENRIDGE, TOLLIVER",2026-02-01 20:00,$50.00,`, "10 MOONSAIL, ORLA 50000 released; 01 BRACKENRIDGE, TOLLIVER 5000 booked", "booking 4"},
		{"for a stay that is over too", stay, `K1,"MOONSAIL, ORLA",2026-01-31 20:00,$50.00,2026-02-01 20:00`, "10 MOONSAIL, ORLA 50000 released; 31 MOONSAIL, ORLA 5000 released", "booking 0; release 0"},
		{"not before the release", stay, `K1,"MOONSAIL, ORLA",2026-01-12 10:00,$500.00,`, "12 MOONSAIL, ORLA 50000 booked", "retraction 0"},
		{"not on the day of a release of which only the day is known", `K1,"MOONSAIL, ORLA",2026-01-10,$500.00,2026-01-10`, `K1,"MOONSAIL, ORLA",2026-01-10 10:00,$500.00,2026-01-10`, "10 MOONSAIL, ORLA 50000 released", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			s := sourceWith(t, "county-a", "bond]", "bond, out]", "'2006-01-02 15:04'", "'2006-01-02 15:04', '2006-01-02'",
				"bond: bond}", "bond: bond, released_at: {from: out, layouts: ['2006-01-02 15:04', '2006-01-02']}}")
			list := func(rows string) string {
				return "id,name,booked,bond,out\nB1,\"THISTLEDOWN, PIP\",2026-01-20 09:00,$100.00,\nB2,\"STORMCROW, IDA\",2026-01-20 09:30,$100.00,\n" + rows + "\n#end\n"
			}
			first, then := list(c.first), list(c.then)
			states := func() string {
				return one[string](b.bundle, `select string_agg(concat_ws(' ', to_char(georgia_clock(booked_at), 'DD'), name, bond_cents, status), '; ' order by booked_at) from bookings where id not in (select b.id from bookings b join roster_claims on record = rid where stay = 0 and key like 'B%')`)
			}
			b.load(s, first, day)
			b.events()
			r := b.load(s, then, day.AddDate(0, 0, 1))
			require.Equal(t, source.RunOK, r.State, r.String())
			require.Equal(t, c.bookings, states())
			told := b.events()
			if c.events != "retraction 0" { // of a release before the watchers nobody was told
				require.Equal(t, c.events, told)
			}
			newest := one[string](b.bundle, `select b.id from bookings b join roster_claims on record = rid where stay = 0 and key = 'K1'`)
			require.Equal(t, one[string](b.bundle, `select id from bookings where name like 'MOONSAIL%' or name like 'BRACK%' order by booked_at desc limit 1`), newest, "the number leads to the newest")

			t.Log("the same again, and the older one late, say nothing new")
			for i, again := range []string{then, first, first, then} {
				at := []int{1, 0, 0, 2}[i]
				r = b.load(s, again, day.AddDate(0, 0, at))
				require.Equal(t, []int{0, 0, 0, 0}, []int{r.New, r.Closed, r.Reopened, r.Changed}, r.String())
				require.Equal(t, c.bookings, states())
				require.Empty(t, b.events())
			}
			if told == "booking 0" {
				t.Log("nor does a list that has both stays, whichever comes first")
				for i, rows := range []string{c.then + "\n" + c.first, c.first + "\n" + c.then} {
					b.load(s, list(rows), day.AddDate(0, 0, 3+i))
					require.Equal(t, c.bookings, states())
					require.Empty(t, b.events())
				}
				b.load(s, list(c.first), day.AddDate(0, 0, 6))
				require.Equal(t, c.bookings, states(), "the earlier stay alone")
				require.Empty(t, b.events())
			}
		})
	}
}

func TestGuarantee6ANumberThatIsUsedAgainAfterAnAbsenceIsANewBooking(t *testing.T) {
	t.Parallel()
	const first = `K1,"MOONSAIL, ORLA",2026-01-10 10:00,$500.00`
	cases := []struct{ name, then, bookings, events string }{
		{"by the same person", `K1,"MOONSAIL, ORLA",2026-02-14 20:00,$50.00`, "10 MOONSAIL, ORLA 50000 released; 14 MOONSAIL, ORLA 5000 booked", "booking 0"},
		{"by another person", `K1,"BRACKENRIDGE, TOLLIVER",2026-02-14 20:00,$50.00`, "10 MOONSAIL, ORLA 50000 released; 14 BRACKENRIDGE, TOLLIVER 5000 booked", "booking 4"},
		{"not with the time of booking that was known", first, "10 MOONSAIL, ORLA 50000 booked", "retraction 0"},
		{"not from before the absence", `K1,"MOONSAIL, ORLA",2026-01-11 10:00,$500.00`, "11 MOONSAIL, ORLA 50000 booked", "retraction 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			s := rosterSource(t, "county-a", 1)
			list := func(rows string) string {
				return "id,name,booked,bond\nB1,\"THISTLEDOWN, PIP\",2026-01-20 09:00,$100.00\nB2,\"STORMCROW, IDA\",2026-01-20 09:30,$100.00\n" + rows + "#end\n"
			}
			states := func() string {
				return one[string](b.bundle, `select string_agg(concat_ws(' ', to_char(georgia_clock(booked_at), 'DD'), name, bond_cents, status), '; ' order by booked_at) from bookings where id not in (select b.id from bookings b join roster_claims on record = rid where stay = 0 and key like 'B%')`)
			}
			b.load(s, list(first+"\n"), day)
			require.Equal(t, 1, b.load(s, list(""), day.AddDate(0, 0, 3)).Closed)
			b.events()
			for at, again := range []string{c.then, c.then, first} { // the earlier stay comes late, of the day on which it was there
				r := b.load(s, list(again+"\n"), day.AddDate(0, 0, []int{14, 15, 0}[at]))
				require.Equal(t, c.bookings, states())
				if at == 0 {
					require.Equal(t, source.RunOK, r.State, r.String())
					require.Equal(t, c.events, b.events())
				} else {
					require.Empty(t, b.events())
				}
			}
		})
	}
}
