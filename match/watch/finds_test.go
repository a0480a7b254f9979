package watch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/watch"
)

func TestWhetherAWatcherFindsAnybodyAndWhatHelps(t *testing.T) {
	t.Parallel()
	year, date, county, wide := watch.AddYear, watch.AddDate, watch.AddCounty, watch.ChooseWide
	for says, c := range map[string]struct {
		meant    watch.Meant
		finds    bool
		remedies []watch.Remedy // of one that finds nobody
	}{
		"a full name is enough at the strictest level":             {watch.Meant{Name: "John Smith", Level: match.Strict}, true, nil},
		"so it is with the last name first":                        {watch.Meant{Name: "SMITH, JOHN", Level: match.Strict}, true, nil},
		"and in letters with accents":                              {watch.Meant{Name: "José Peña", Level: match.Strict}, true, nil},
		"an initial is enough before a rare last name":             {watch.Meant{Name: "J Quillfeather", Level: match.Normal}, true, nil},
		"but not before a common one":                              {watch.Meant{Name: "J Smith", Level: match.Normal}, false, []watch.Remedy{year, date, wide}},
		"nor where only a county counts":                           {watch.Meant{Name: "J Smith", County: true, Level: match.Normal}, false, []watch.Remedy{year, date, wide}},
		"where a year says more":                                   {watch.Meant{Name: "J Smith", Born: match.ParseBirth("1990"), Level: match.Normal}, true, nil},
		"and level wide takes less":                                {watch.Meant{Name: "J Smith", Level: match.Wide}, true, nil},
		"at level strict a year is not enough":                     {watch.Meant{Name: "J Smith", Born: match.ParseBirth("1990"), Level: match.Strict}, false, []watch.Remedy{date, wide}},
		"but a date is":                                            {watch.Meant{Name: "J Smith", Born: match.ParseBirth("1990-05-06"), Level: match.Strict}, true, nil},
		"a common last name alone finds nobody, at level wide too": {watch.Meant{Name: "Smith", Level: match.Wide}, false, []watch.Remedy{year, date, county}},
		"unless only a county counts":                              {watch.Meant{Name: "Smith", County: true, Level: match.Strict}, true, nil},
		"or a year is known":                                       {watch.Meant{Name: "Smith", Born: match.ParseBirth("1990"), Level: match.Strict}, true, nil},
		"or an age, which leaves two years":                        {watch.Meant{Name: "Smith", Born: match.BornByAge(36, match.ParseBirth("2026-05-06")), Level: match.Strict}, true, nil},
		"a rare one has one more way out":                          {watch.Meant{Name: "Marlowe", Level: match.Strict}, false, []watch.Remedy{year, date, county, wide}},
		"what is there already is no remedy":                       {watch.Meant{Name: "FNU LNU", County: true, Level: match.Wide}, false, nil},
	} {
		require.Equal(t, c.finds, c.meant.Finds(), says)
		if !c.finds {
			require.Equal(t, c.remedies, c.meant.Remedies(), says)
		}
	}
}

// A remedy that is taken makes the watcher find somebody, so nobody is sent from one refusal to the next.
func TestARemedyHelps(t *testing.T) {
	t.Parallel()
	offered := map[watch.Remedy]int{}
	for _, name := range []string{"J Smith", "Smith", "Marlowe", "Nguyen, T", "Garcia", "M Garcia", "K. Lee"} {
		for _, level := range []match.Level{match.Strict, match.Normal, match.Wide} {
			m := watch.Meant{Name: name, Level: level}
			if m.Finds() {
				continue
			}
			require.NotEmpty(t, m.Remedies(), "%s at %s", name, level)
			for _, r := range m.Remedies() {
				offered[r]++
				taken := m
				switch r {
				case watch.AddYear:
					taken.Born = match.ParseBirth("1951")
				case watch.AddDate:
					taken.Born = match.ParseBirth("2003-12-31")
				case watch.AddCounty:
					taken.County = true
				case watch.ChooseWide:
					taken.Level = match.Wide
				}
				require.True(t, taken.Finds(), "%s at %s, remedy %d", name, level, r)
			}
		}
	}
	require.Len(t, offered, 4, "each of them is offered to somebody")
}
