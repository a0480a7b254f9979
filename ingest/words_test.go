package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

func TestAFactThatItsOwnFeedTellsUnchangedIsNoNews(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	first, second := accusedSource(t, "county-a"), accusedSource(t, "county-b")
	hours := 0
	tell := func(feed string, bond, charge string) {
		s, key := first, "M1"
		if feed == "b" {
			s, key = second, "X9"
		}
		hours++
		r := c.load(s, accused(key+`,"MOONSAIL, ORLA",2026-02-01 01:30,$`+bond+`,`+charge+`,N`), day.Add(time.Duration(hours)*time.Hour))
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	tell("a", "1500.00", "THEFT")
	tell("b", "9000.00", "THEFT")
	require.Equal(t, "MOONSAIL, ORLA 01:30 9000 {THEFT} booked", c.merged())
	c.events()
	tell("a", "1500.00", "DUI")
	require.Equal(t, "MOONSAIL, ORLA 01:30 9000 {DUI} booked", c.merged(), "the charges are news, the bond is not")
	tell("b", "9000.00", "THEFT")
	require.Equal(t, "MOONSAIL, ORLA 01:30 9000 {DUI} booked", c.merged())
	tell("b", "9000.00", "ARSON")
	require.Empty(t, c.events())
	tell("a", "2000.00", "DUI")
	require.Equal(t, "MOONSAIL, ORLA 01:30 2000 {ARSON} booked", c.merged(), "a bond that its feed changed is news")
	require.Equal(t, "bond_change 0 2000", c.events())
	tell("b", "9000.00", "THEFT")
	require.Equal(t, "MOONSAIL, ORLA 01:30 2000 {THEFT} booked", c.merged())
	require.Empty(t, c.events())
}

func TestNameBirthAndTimeThatItsOwnFeedTellsUnchangedAreNoNews(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	document := func(id string) *ingest.Source {
		return accusedSource(t, id, "juvenile]", "juvenile, dob]", "person: {name: name}", "person: {name: name, dob: {from: dob, layouts: ['2006-01-02']}}")
	}
	first, second := document("county-a"), document("county-b")
	hours := 0
	tell := func(feed, name, booked, dob, charge string) {
		s, key := first, "M1"
		if feed == "b" {
			s, key = second, "X9"
		}
		hours++
		r := c.load(s, "id,name,booked,bond,charge,juvenile,dob\n"+key+`,"`+name+`",2026-02-01 `+booked+`,$100.00,`+charge+`,N,`+dob+"\n#end\n", day.Add(time.Duration(hours)*time.Hour))
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	shown := func() string {
		return one[string](c.bundle, `select concat_ws(' ', name, to_char(georgia_clock(booked_at), 'HH24:MI'), dob, charges::text) from bookings`)
	}
	tell("a", "MOONSAIL, ORLA", "01:30", "1980-05-05", "THEFT")
	tell("b", "MOONSAIL, ORLA", "01:30", "1980-05-05", "THEFT")
	tell("b", "MOONSALE, ORLA", "04:30", "1980-05-06", "THEFT")
	require.Equal(t, "MOONSALE, ORLA 04:30 1980-05-06 {THEFT}", shown(), "a correction of its feed is news")
	c.events()
	versions := one[int](c.bundle, `select count(*) from record_changes where field <> 'charges'`)
	for _, charge := range []string{"DUI", "ARSON", "FRAUD"} {
		tell("a", "MOONSAIL, ORLA", "01:30", "1980-05-05", charge)
		require.Equal(t, "MOONSALE, ORLA 04:30 1980-05-06 {"+charge+"}", shown())
		tell("b", "MOONSALE, ORLA", "04:30", "1980-05-06", charge)
		require.Equal(t, "MOONSALE, ORLA 04:30 1980-05-06 {"+charge+"}", shown())
	}
	require.Equal(t, versions, one[int](c.bundle, `select count(*) from record_changes where field <> 'charges'`))
	require.Empty(t, c.events())
	tell("a", "MOONSAIL, ORLA", "01:45", "1980-05-05", "FRAUD")
	require.Equal(t, "MOONSALE, ORLA 01:45 1980-05-06 {FRAUD}", shown(), "of three facts one was corrected")
}
