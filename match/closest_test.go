package match_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/match"
)

// ranked returns names in the order in which a query lists them, all of them in custody.
func ranked(query string, names ...string) []string {
	c := match.NewClosest(match.Words(query))
	for _, n := range names {
		c.Add(strings.Fields(match.SearchKey(n)), true)
	}
	var out []string
	for _, i := range c.Page(0, len(names)) {
		out = append(out, names[i])
	}
	return out
}

func TestCloserNamesComeFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		queries []string
		order   []string
	}{
		"last and first name, then the beginning of a first name, then middle names": {
			[]string{"john smith", "smith, john", "SMITH JOHN"},
			[]string{"SMITH, JOHN", "SMITH, JOHNNY", "SMITHSON, JOHN", "SMITH, COREY JOHN", "ARROWSMITH, JOHN"},
		},
		"an initial stands for a first name before it does for a middle name": {
			[]string{"smith j", "j smith"},
			[]string{"SMITH, J", "SMITH, JOHN", "SMITH, COREY J", "SMITH, COREY JOHN"},
		},
		"a last name alone": {
			[]string{"smith"},
			[]string{"SMITH, AMY", "JONES, SMITH", "SMITHSON, AMY", "JONES, AMY SMITH", "ARROWSMITH, AMY"},
		},
		"words before a last name belong to it": {
			[]string{"maria de la cruz", "cruz, maria"},
			[]string{"DE LA CRUZ, MARIA", "DE LA CRUZ, ANA MARIA"},
		},
		"a generation is no first name": {
			[]string{"john smith"},
			[]string{"SMITH JR, JOHN", "SMITH, COREY JOHN"},
		},
		"a first name in any place before a middle name": {
			[]string{"maria garcia"},
			[]string{"GARCIA, MARIA", "GARCIA LOPEZ, MARIA"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, q := range c.queries {
				require.Equal(t, c.order, ranked(q, c.order...), q)
				back := slices.Clone(c.order)
				slices.Reverse(back)
				require.Equal(t, c.order, ranked(q, back...), q)
			}
		})
	}
}

func TestEquallyCloseNamesAreByCustodyAndThenAsTheyCome(t *testing.T) {
	t.Parallel()
	c := match.NewClosest(match.Words("john smith"))
	for _, n := range []struct {
		name  string
		ahead bool
	}{{"smith corey john", true}, {"smith john", false}, {"smith john allen", true}, {"smith john b", false}, {"smith john c", true}} {
		c.Add(strings.Fields(n.name), n.ahead)
	}
	require.Equal(t, []int{2, 4, 1, 3, 0}, c.Page(0, 10))
	require.Equal(t, []int{4, 1}, c.Page(1, 2))
	require.Empty(t, c.Page(5, 2))
}

func TestNamesBeyondThoseRankedKeepTheirOrder(t *testing.T) {
	t.Parallel()
	c := match.NewClosest([]string{"smith"})
	for range match.MostRanked - 1 {
		c.Add([]string{"jones", "smith"}, true)
	}
	c.Add([]string{"smith", "amy"}, true)
	c.Add([]string{"smith", "late"}, true)
	require.Equal(t, []int{match.MostRanked - 1, 0}, c.Page(0, 2))
	require.Equal(t, []int{match.MostRanked - 2, match.MostRanked}, c.Page(match.MostRanked-1, 5))
}

// A name that holds the query is never as far as one that does not, and each word of the query needs one of its own.
func TestOnlyNamesThatHoldTheQueryAreNear(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-c]{1,3}`)
	far := match.Distance(nil, []string{"a"})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SliceOfN(word, 1, 5).Draw(t, "name")
		query := rapid.SliceOfN(word, 1, 8).Draw(t, "query")
		holds := match.Holds(strings.Join(name, " "), query)
		require.Equal(t, holds, match.Distance(name, query) < far, "%v in %v", query, name)
		slices.Reverse(query)
		require.Equal(t, holds, match.Distance(name, query) < far, "the order of the words does not matter")
	})
	require.Equal(t, far, match.Distance([]string{"a"}, slices.Repeat([]string{"a"}, 9)), "more words than a query has")
}
