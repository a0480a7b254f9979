package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
		c.load(s, accused(key+`,"MOONSAIL, ORLA",2026-02-01 01:30,$`+bond+`,`+charge+`,N`), day.Add(time.Duration(hours)*time.Hour))
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
