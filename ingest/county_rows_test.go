package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// waysToPublish are pairs for many, by policy.
var waysToPublish = map[string][]string{
	"full_roster": nil,
	"window":      {"policy: full_roster,", "policy: window, window_days: 90,"},
	"delta":       changesOnly(),
}

// endOf is the last line of a file of a source that lists everybody.
func endOf(policy string) string {
	if policy == "delta" {
		return ""
	}
	return "#end\n"
}

func TestGuarantee11ABlankFlagOfOneCountyHoldsThatCounty(t *testing.T) {
	t.Parallel()
	blank := func(text string) string { return strings.ReplaceAll(text, ",N\n", ",\n") }
	for policy, pairs := range waysToPublish {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := many(t, pairs...)
			file := func(wrong, right string) string { return manyColumns + wrong + right + endOf(policy) }
			b.runSource(s, "a.csv", file(rowsOf(12, "$1.00", "Appling"), rowsOf(12, "$1.00", "Bacon")), b.now.Add(-24*time.Hour))

			r := b.runSource(s, "b.csv", file(strings.Replace(rowsOf(12, "$1.00", "Appling"), ",N\n", ",\n", 3), rowsOf(12, "$1.00", "Bacon")), b.now.Add(-12*time.Hour))
			require.Equal(t, source.RunOK, r.State, "a few may lack it: %s", r)
			if policy == "delta" {
				r = b.runSource(s, "few.csv", file(blank(rowsOf(4, "$1.00", "Appling")), ""), b.now.Add(-11*time.Hour))
				require.Equal(t, source.RunOK, r.State, "four rows show nothing: %s", r)
			}

			rows := 17
			if policy == "delta" {
				rows = 5 // of those who are known it may leave the flag out
			}
			r = b.runSource(s, "c.csv", file(blank(rowsOf(12, "$1.00", "Appling"))+unflagged("Appling", 5), strings.Replace(rowsOf(12, "$1.00", "Bacon"), "$1.00", "$2.00", 1)), b.now)
			require.Contains(t, r.Note, fmt.Sprintf("held: Appling: the flags of 0 of %d rows say who is a juvenile, before it were ", rows))
			require.Equal(t, models.SourceHeld, b.sources()["many:appling"].State())
			require.Equal(t, models.SourceOK, b.sources()["many:bacon"].State())
			require.Zero(t, one[int](b, `select count(*) from bookings where name like 'MOON%'`), "who may be a juvenile is not shown")
			require.Equal(t, 1, one[int](b, `select count(*) from bookings where bond_cents = 200`), "the other county goes on")
		})
	}
}

func TestGuarantee11ABlankFlagOfADocumentOfOneCountyHoldsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "one", "columns: [id, name, booked, bond]", "columns: [cty, id, name, booked, bond, juvenile]", "booking: {number: id,", "booking: {juvenile: juvenile, number: id,")
	b.runSource(s, "a.csv", manyColumns+rowsOf(12, "$1.00", "x")+"#end\n", b.now.Add(-24*time.Hour))
	r := b.runSource(s, "b.csv", manyColumns+strings.ReplaceAll(rowsOf(12, "$1.00", "x"), ",N\n", ",\n")+"#end\n", b.now)
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Contains(t, r.Note, "the flags of 0 of 12 rows say who is a juvenile, before it were 12 of 12: nobody is published while that is gone")
}

// TestUnreadableRowsOfOneCountyConcernThatCounty feeds a file in which most rows of one county cannot be read.
func TestUnreadableRowsOfOneCountyConcernThatCounty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		bad  int // of the twelve rows of Appling
	}{{"most of its rows", 9}, {"all of its rows", 12}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := many(t)
			file := func(appling, bacon string) string { return manyColumns + appling + bacon + "#end\n" }
			all := rowsOf(12, "$1.00", "Appling")
			b.runSource(s, "a.csv", file(all, rowsOf(13, "$1.00", "Bacon")), b.now.Add(-24*time.Hour))
			unread := strings.Replace(all, "2026-01-05", "soon", c.bad)
			r := b.runSource(s, "b.csv", file(unread, rowsOf(12, "$1.00", "Bacon")), b.now)
			require.Equal(t, []any{source.RunPartial, c.bad, 1}, []any{r.State, r.Quarantined, r.Closed}, "the other county is whole: %s", r)
			note := one[string](b, `select report->>'note' from runs where source_id = 'many:appling' order by id desc limit 1`)
			require.Contains(t, note, "of 12 rows could not be taken")
			require.Equal(t, "ok", one[string](b, `select state from runs where source_id = 'many:bacon' order by id desc limit 1`))
			require.Equal(t, 12, one[int](b, `select count(*) from bookings b join counties c on c.id = b.county_id where c.slug = 'appling' and b.status = 'booked'`))
			require.Equal(t, c.bad, one[int](b, `select count(*) from quarantine q join counties c on c.id = q.county_id where c.slug = 'appling'`))
		})
	}

	t.Run("without a county they concern all", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := many(t)
		b.runSource(s, "a.csv", manyColumns+rowsOf(12, "$1.00", "Appling", "Bacon")+"#end\n", b.now.Add(-24*time.Hour))
		unread := strings.Replace(rowsOf(12, "$1.00", "Appling"), "Appling", "Nowhere", 6)
		r := b.runSource(s, "b.csv", manyColumns+unread+rowsOf(11, "$1.00", "Bacon")+"#end\n", b.now)
		require.Equal(t, []any{source.RunPartial, 6, 0}, []any{r.State, r.Quarantined, r.Closed}, r.String())
	})
}
