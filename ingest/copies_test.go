package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCopiesOfAnUnprovenList(t *testing.T) {
	t.Parallel()
	with := func(n int) string {
		return strings.ReplaceAll(listed(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`), "$100.00", fmt.Sprintf("$%d.00", n))
	}
	without := func(n int) string { return strings.ReplaceAll(listed(), "$100.00", fmt.Sprintf("$%d.00", n)) }
	type f struct {
		hours int
		text  string
	}
	for name, c := range map[string]struct {
		files []f
		out   bool
	}{
		"a copy":              {[]f{{0, with(1)}, {1, without(1)}, {2, without(1)}, {23, without(1)}}, false},
		"a copy after a day":  {[]f{{0, with(1)}, {1, without(1)}, {25, without(1)}}, true},
		"other bytes":         {[]f{{0, with(1)}, {1, without(1)}, {2, without(2)}}, true},
		"a late copy":         {[]f{{0, with(1)}, {3, without(1)}, {2, without(1)}}, false},
		"a late other one":    {[]f{{0, with(1)}, {3, without(1)}, {2, without(2)}}, true},
		"an old page between": {[]f{{0, with(1)}, {1, without(1)}, {2, with(1)}, {3, without(1)}, {4, without(1)}}, false},
		"a late one with":     {[]f{{0, with(1)}, {1, without(1)}, {3, without(2)}, {2, with(2)}}, false},
		"the same twice":      {[]f{{0, with(1)}, {1, without(1)}, {1, without(1)}, {1, without(2)}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a", "full_roster, absence: released, confirmations: 1", "full_roster, absence: released, confirmations: 2",
				"complete: {end_marker: true, shrink: 1, min_rows: 1}\n", "complete: {shrink: 1, min_rows: 1}\n", `, end_marker: "#end"`, "")
			for _, x := range c.files {
				b.runSource(s, "r.csv", strings.TrimSuffix(strings.ReplaceAll(x.text, "\n\n", "\n"), "#end\n"), day.Add(time.Duration(x.hours)*time.Hour))
			}
			require.Equal(t, c.out, strings.Contains(one[string](b, `select string_agg(name||status, ';') from bookings`), "ORLAreleased"))
		})
	}
}
