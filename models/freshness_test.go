package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAsOfWaitsForWhatCanStillChange reads the freshness of an answer over sources of each kind.
func TestAsOfWaitsForWhatCanStillChange(t *testing.T) {
	t.Parallel()
	bacon, cobb := &County{ID: 1, Slug: "bacon", Name: "Bacon"}, &County{ID: 2, Slug: "cobb", Name: "Cobb"}
	counties := CountiesOf([]*County{bacon, cobb})
	now := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	ago := func(h int) *time.Time { at := now.Add(-time.Duration(h) * time.Hour); return &at }
	source := func(county *County, hours int, change func(*Source)) *Source {
		s := &Source{Kind: "roster", County: county, LastSuccess: ago(hours), LastAttempt: ago(hours), Enabled: true, state: SourceOK}
		change(s)
		return s
	}
	enabled := func(*Source) {}
	disabled := func(s *Source) { s.Enabled = false }
	retired := func(s *Source) { s.RetiredAt, s.state = ago(1), SourceDown }
	takeover := func(s *Source) { s.Enabled, s.Imported, s.Covers = false, true, []int16{1, 2} }
	for name, c := range map[string]struct {
		sources []*Source
		only    *County
		asOf    *time.Time
		stale   []string
	}{
		"the oldest of the enabled ones":         {[]*Source{source(bacon, 2, enabled), source(cobb, 1, enabled)}, nil, ago(2), []string{}},
		"no takeover":                            {[]*Source{source(nil, 90, takeover), source(bacon, 2, enabled), source(cobb, 1, enabled)}, nil, ago(2), []string{}},
		"no takeover of one county":              {[]*Source{source(nil, 90, takeover), source(bacon, 2, enabled)}, bacon, ago(2), []string{}},
		"a county of a takeover alone":           {[]*Source{source(nil, 90, takeover), source(bacon, 2, enabled)}, nil, ago(2), []string{"cobb"}},
		"such a county by itself":                {[]*Source{source(nil, 90, takeover), source(bacon, 2, enabled)}, cobb, nil, []string{"cobb"}},
		"no retired one":                         {[]*Source{source(bacon, 90, retired), source(cobb, 1, enabled)}, nil, ago(1), []string{"bacon"}},
		"no retired one by itself":               {[]*Source{source(bacon, 90, retired), source(cobb, 1, enabled)}, bacon, nil, []string{"bacon"}},
		"no disabled one":                        {[]*Source{source(bacon, 90, disabled), source(cobb, 1, enabled)}, nil, ago(1), []string{}},
		"those read by hand where none is asked": {[]*Source{source(bacon, 3, disabled), source(cobb, 2, disabled)}, nil, ago(3), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := FreshnessOf(c.sources, Roster, counties, c.only)
			require.Equal(t, c.asOf, f.AsOf)
			require.Equal(t, c.stale, f.Stale)
		})
	}
}
