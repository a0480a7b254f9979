package answers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/answers"
	"rollcall/models"
)

// views is a state of the records that a test sets.
type views struct {
	now models.View
	ok  bool
}

func (v *views) View() (models.View, bool) { return v.now, v.ok }

func size(s string) int { return len(s) }

func TestAnswersLastAsLongAsWhatTheyShow(t *testing.T) {
	t.Parallel()
	families := map[string][]models.Family{
		"roster": {models.Roster}, "courts": {models.Courts}, "corrections": {models.Corrections},
		"both": {models.Roster, models.Corrections},
	}
	changes := map[string]struct {
		change func(*models.View)
		ends   []string
	}{
		"bookings change":            {func(v *models.View) { v.Roster++ }, []string{"roster", "both"}},
		"cases change":               {func(v *models.View) { v.Courts++ }, []string{"courts"}},
		"corrections records change": {func(v *models.View) { v.Corrections++ }, []string{"corrections", "both"}},
		"links change":               {func(v *models.View) { v.Links++ }, []string{"roster", "corrections", "both"}},
		"a minute passes":            {func(v *models.View) { v.Minute++ }, []string{"courts"}},
	}
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &views{now: models.View{Roster: 1, Courts: 1, Corrections: 1, Links: 1, Minute: 1}, ok: true}
			cache := answers.New(1<<20, v, nil, size)
			for key, shows := range families {
				_, ok, at := cache.Find(key, shows...)
				require.False(t, ok)
				cache.Keep(key, at, "of "+key)
			}
			c.change(&v.now)
			var ended []string
			for key, shows := range families {
				answer, ok, _ := cache.Find(key, shows...)
				if ok {
					require.Equal(t, "of "+key, answer)
				} else {
					ended = append(ended, key)
				}
			}
			require.ElementsMatch(t, c.ends, ended)
		})
	}
}

func TestAnAnswerMadeBeforeAChangeIsNotGivenAfterIt(t *testing.T) {
	t.Parallel()
	v := &views{now: models.View{Roster: 1}, ok: true}
	cache := answers.New(1<<20, v, nil, size)
	_, _, at := cache.Find("k", models.Roster)
	v.now.Roster++
	cache.Keep("k", at, "old")
	_, ok, _ := cache.Find("k", models.Roster)
	require.False(t, ok)
}

func TestNothingIsKeptWhileChangesAreNotHeardOf(t *testing.T) {
	t.Parallel()
	v := &views{}
	cache := answers.New(1<<20, v, nil, size)
	_, _, at := cache.Find("k", models.Roster)
	cache.Keep("k", at, "blind")
	v.ok = true
	_, ok, _ := cache.Find("k", models.Roster)
	require.False(t, ok)
}

func TestWithoutABudgetNothingIsKept(t *testing.T) {
	t.Parallel()
	cache := answers.New(0, &views{ok: true}, nil, size)
	_, ok, at := cache.Find("k", models.Roster)
	require.False(t, ok)
	cache.Keep("k", at, "a")
	_, ok, _ = cache.Find("k", models.Roster)
	require.False(t, ok)
}
